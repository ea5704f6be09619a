// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/slider/attack_table.hpp"

namespace tsumugi::shogi::slider {

// The ordinary board together with the tables it is an index into.
template <typename Index>
class FileMajorOccupied : public PlainOccupied {
public:
    [[nodiscard]] const Bitboard& rook(Square s) const { return rook_->look_up(s, words()); }
    [[nodiscard]] const Bitboard& bishop(Square s) const { return bishop_->look_up(s, words()); }

    static std::size_t table_bytes() {
        return shared_table<Index, Layout::file_major, Movement::rook>().bytes() +
               shared_table<Index, Layout::file_major, Movement::bishop>().bytes();
    }

private:
    [[nodiscard]] Words words() const { return {board().low(), board().high()}; }

    const AttackTable<Index>* rook_ = &shared_table<Index, Layout::file_major, Movement::rook>();
    const AttackTable<Index>* bishop_ = &shared_table<Index, Layout::file_major, Movement::bishop>();
};

}  // namespace tsumugi::shogi::slider
