// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/slider/attack_table.hpp"
#include "shogi/slider/magic_number.hpp"

namespace tsumugi::shogi::slider {

// The index from a pair of magic numbers: masked words times their factors, exclusive or, top bits.
class Magic {
public:
    Magic() = default;
    Magic(Layout layout, Movement movement, Square s) {
        const Bitboard relevant = relevant_squares(movement, s);
        mask_ = words_of(layout, relevant);
        factor_ = magic_sequence(layout, movement, s).candidate(magic_number(layout, movement, s));
        shift_ = 64 - relevant.count();
    }

    [[nodiscard]] int bits() const { return 64 - shift_; }
    std::size_t operator()(const Words& occupied) const {
        return (((occupied[0] & mask_[0]) * factor_[0]) ^ ((occupied[1] & mask_[1]) * factor_[1])) >> shift_;
    }

private:
    Words mask_{};
    Words factor_{};
    int shift_ = 63;
};

// What the magic methods on the rank-major layout know of the occupied squares: that board, and the ordinary one
// that everybody else uses.
class RankMajorOccupied {
public:
    void toggle(Square s) {
        board_ ^= Bitboard::of(s);
        flip(turned_, rank_major_masks[s.slot()]);
    }
    [[nodiscard]] const Bitboard& board() const { return board_; }
    [[nodiscard]] const Words& turned() const { return turned_; }

    [[nodiscard]] const Bitboard& rook(Square s) const { return rook_->look_up(s, turned_); }
    [[nodiscard]] const Bitboard& bishop(Square s) const { return bishop_->look_up(s, turned_); }

    static std::size_t table_bytes() {
        return shared_table<Magic, Layout::rank_major, Movement::rook>().bytes() +
               shared_table<Magic, Layout::rank_major, Movement::bishop>().bytes() + sizeof(rank_major_masks);
    }

private:
    Bitboard board_;
    Words turned_{};
    const AttackTable<Magic>* rook_ = &shared_table<Magic, Layout::rank_major, Movement::rook>();
    const AttackTable<Magic>* bishop_ = &shared_table<Magic, Layout::rank_major, Movement::bishop>();
};

}  // namespace tsumugi::shogi::slider
