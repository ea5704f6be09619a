// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

#include "shogi/slider/layout.hpp"
#include "shogi/slider/movement.hpp"

namespace tsumugi::shogi::slider {

// Attacks of one piece from every square for every way its lines may be occupied, found through `Index`: it is made
// from (layout, movement, square), knows how many `bits()` its result has, and turns occupied words into a place in
// the table. Filling takes milliseconds.
template <typename Index>
class AttackTable {
public:
    AttackTable(Layout layout, Movement movement) {
        std::array<std::size_t, Square::count> first{};
        std::size_t size = 0;
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            entries_[i].index = Index(layout, movement, Square::from_index(i));
            first[i] = size;
            size += std::size_t{1} << entries_[i].index.bits();
        }
        attacks_.resize(size);
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const Square s = Square::from_index(i);
            Bitboard* const place = attacks_.data() + first[i];
            entries_[i].attacks = place;
            for_each_occupation(relevant_squares(movement, s), [&](const PlainOccupied& occupied) {
                place[entries_[i].index(words_of(layout, occupied.board()))] = attacks(movement, s, occupied);
            });
        }
    }
    AttackTable(const AttackTable&) = delete;
    AttackTable& operator=(const AttackTable&) = delete;

    [[nodiscard]] const Bitboard& look_up(Square s, const Words& occupied) const {
        const Entry& entry = entries_[s.slot()];
        return entry.attacks[entry.index(occupied)];
    }
    [[nodiscard]] std::size_t bytes() const { return sizeof(entries_) + attacks_.size() * sizeof(Bitboard); }

private:
    struct Entry {
        Index index;
        const Bitboard* attacks = nullptr;
    };

    std::array<Entry, Square::count> entries_;
    std::vector<Bitboard> attacks_;
};

// The tables are large and only some methods want them, so each is made when it is first asked for. What looks things
// up keeps the reference: asking again would test each time whether the table is there.
template <typename Index, Layout L, Movement M>
const AttackTable<Index>& shared_table() {
    static const AttackTable<Index> table(L, M);
    return table;
}

}  // namespace tsumugi::shogi::slider
