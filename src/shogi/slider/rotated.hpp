// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/slider/file_lookup.hpp"
#include "shogi/slider/method.hpp"
#include "shogi/slider/turned_board.hpp"

namespace tsumugi::shogi::slider {

// Rotated bitboards: four boards with the same pieces, turned by 0, 90, 45 and -45 degrees, so that ranks, files and
// both diagonals each lie in neighbouring bits somewhere. Every change is made four times.
struct Rotated {
    static constexpr const char* name = "rotated";

private:
    struct Boards {
        TurnedBoard ranks{TurnedBoard::Turn::ranks};
        TurnedBoard rising{TurnedBoard::Turn::rising};
        TurnedBoard falling{TurnedBoard::Turn::falling};
    };
    // Made when first asked for, and kept by reference, like the tables of attacks.
    static const Boards& boards() {
        static const Boards made;
        return made;
    }

public:
    class Occupied {
    public:
        void toggle(Square s) {
            board_ ^= Bitboard::of(s);
            flip(ranks_, turned_->ranks.mask(s));
            flip(rising_, turned_->rising.mask(s));
            flip(falling_, turned_->falling.mask(s));
        }
        [[nodiscard]] const Bitboard& board() const { return board_; }

        [[nodiscard]] Bitboard rook(Square s) const {
            return FileLookup::both(s, board_) | turned_->ranks.look_up(s, ranks_);
        }
        [[nodiscard]] Bitboard bishop(Square s) const {
            return turned_->rising.look_up(s, rising_) | turned_->falling.look_up(s, falling_);
        }

    private:
        Bitboard board_;
        Words ranks_{};
        Words rising_{};
        Words falling_{};
        const Boards* turned_ = &boards();
    };

    static Bitboard rook(Square s, const Occupied& o) { return o.rook(s); }
    static Bitboard bishop(Square s, const Occupied& o) { return o.bishop(s); }
    template <Color C>
    static Bitboard lance(Square s, const Occupied& o) {
        return FileLookup::forward<C>(s, o.board());
    }

    static std::size_t table_bytes() {
        return boards().ranks.bytes() + boards().rising.bytes() + boards().falling.bytes() + FileLookup::table_bytes();
    }
};
static_assert(Method<Rotated>);

}  // namespace tsumugi::shogi::slider
