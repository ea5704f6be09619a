// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "shogi/slider/file_line.hpp"

namespace tsumugi::shogi::slider {

// Rays of one slider as 128-bit numbers, all low words before all high words so that a vector register takes
// several rays at once. They come in pairs: one towards higher squares, then its opposite towards lower squares
// with all sixteen bytes in reverse order. Neighbours on a rank or a diagonal are 8 to 11 bits apart, so no byte holds
// two squares of one ray, and reversing the bytes already reverses the order of its squares: both rays
// of a pair then run upwards and the same subtraction serves them.
template <std::size_t Rays>
struct RayMask {
    std::array<std::uint64_t, Rays> low{};
    std::array<std::uint64_t, Rays> high{};

    // Fills rays 2n and 2n + 1 with the line through `s`; `file_step` must be positive.
    constexpr void set_pair(std::size_t n, Square s, int file_step, int rank_step) {
        const Bitboard ascending = walk(s, file_step, rank_step, {});
        const Bitboard descending = walk(s, -file_step, -rank_step, {});
        low[2 * n] = ascending.low();
        high[2 * n] = ascending.high();
        low[2 * n + 1] = __builtin_bswap64(descending.high());
        high[2 * n + 1] = __builtin_bswap64(descending.low());
    }
};

// One cache line per square and piece.
struct alignas(64) BishopMask {
    RayMask<4> rays;
};
struct alignas(64) RookMask {
    RayMask<2> rank;
    FileLine::Mask file;
};

constexpr auto bishop_masks = [] {
    std::array<BishopMask, Square::count> table{};
    for (int i = 0; i < Square::count; ++i) {
        const Square s = Square::from_index(i);
        table[s.slot()].rays.set_pair(0, s, 1, 1);
        table[s.slot()].rays.set_pair(1, s, 1, -1);
    }
    return table;
}();
constexpr auto rook_masks = [] {
    std::array<RookMask, Square::count> table{};
    for (int i = 0; i < Square::count; ++i) {
        const Square s = Square::from_index(i);
        table[s.slot()].rank.set_pair(0, s, 1, 0);
        table[s.slot()].file = FileLine::Mask::of(s);
    }
    return table;
}();

}  // namespace tsumugi::shogi::slider
