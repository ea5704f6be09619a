// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/slider/method.hpp"

namespace tsumugi::shogi::slider {

// Steps from square to square until something stands in the way. Slow and obviously right: the oracle
// every other method is tested against, and what fills their tables.
constexpr Bitboard walk(Square from, int file_step, int rank_step, const Bitboard& occupied) {
    Bitboard reached;
    int file = from.file() + file_step;
    int rank = from.rank() + rank_step;
    for (; file >= 1 && file <= 9 && rank >= 1 && rank <= 9; file += file_step, rank += rank_step) {
        const Square s = Square::at(file, rank);
        reached |= Bitboard(s);
        if (occupied.has(s)) break;
    }
    return reached;
}

struct RayWalk {
    static constexpr const char* name = "ray-walk";
    using Occupied = PlainOccupied;

    static constexpr Bitboard rook(Square s, const Occupied& o) {
        return walk(s, 0, 1, o.board()) | walk(s, 0, -1, o.board()) | walk(s, 1, 0, o.board()) |
               walk(s, -1, 0, o.board());
    }
    static constexpr Bitboard bishop(Square s, const Occupied& o) {
        return walk(s, 1, 1, o.board()) | walk(s, 1, -1, o.board()) | walk(s, -1, 1, o.board()) |
               walk(s, -1, -1, o.board());
    }
    template <Color C>
    static constexpr Bitboard lance(Square s, const Occupied& o) {
        return walk(s, 0, C == Color::black ? -1 : 1, o.board());
    }

    static constexpr std::size_t table_bytes() { return 0; }
};
static_assert(Method<RayWalk>);

}  // namespace tsumugi::shogi::slider
