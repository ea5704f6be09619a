// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/isa.hpp"
#include "shogi/slider/bit_arithmetic_sse.hpp"

namespace tsumugi::shogi::slider {

// Bit arithmetic on the four rays of a bishop at once. The rook has only two rays that are not on a file and
// stays with the 128-bit form, and so does everything where the registers are not that wide.
struct BitArithmeticAvx2 {
    static constexpr const char* name = "bit-arithmetic-avx2";
    using Occupied = PlainOccupied;

    static Bitboard bishop(Square s, const Occupied& o) {
        if constexpr (base::isa::has_avx2)
            return four_rays(bishop_masks[s.slot()].rays, o.board());
        else
            return BitArithmeticSse::bishop(s, o);
    }
    static Bitboard rook(Square s, const Occupied& o) { return BitArithmeticSse::rook(s, o); }
    template <Color C>
    static Bitboard lance(Square s, const Occupied& o) {
        return FileLine::forward<C>(s, o.board());
    }

    static constexpr std::size_t table_bytes() { return BitArithmeticSse::table_bytes(); }

private:
    // One function on purpose, and casts instead of std::bit_cast: how 32-byte vectors pass between functions
    // depends on the instruction set, and the compilers warn about it.
    static Bitboard four_rays(const RayMask<4>& rays, const Bitboard& occupied) {
        const Pair board{occupied.low(), occupied.high()};
        const auto bytes = reinterpret_cast<QuadBytes>(__builtin_shufflevector(board, board, 0, 1, 0, 1));
        const Quad mask_low{rays.low[0], rays.low[1], rays.low[2], rays.low[3]};
        const Quad mask_high{rays.high[0], rays.high[1], rays.high[2], rays.high[3]};
        // Each half: a word for the ascending ray, then one with reversed bytes for the descending ray.
        const Quad low = mask_low & reinterpret_cast<Quad>(__builtin_shufflevector(
                                        bytes, bytes, 0, 1, 2, 3, 4, 5, 6, 7, 15, 14, 13, 12, 11, 10, 9, 8,  //
                                        16, 17, 18, 19, 20, 21, 22, 23, 31, 30, 29, 28, 27, 26, 25, 24));
        const Quad high = mask_high & reinterpret_cast<Quad>(__builtin_shufflevector(
                                          bytes, bytes, 8, 9, 10, 11, 12, 13, 14, 15, 7, 6, 5, 4, 3, 2, 1, 0,  //
                                          24, 25, 26, 27, 28, 29, 30, 31, 23, 22, 21, 20, 19, 18, 17, 16));
        const Quad reached_low = (low ^ (low - 1)) & mask_low;
        const Quad reached_high = (high ^ (high + reinterpret_cast<Quad>(low == 0))) & mask_high;
        const Quad ascending = __builtin_shufflevector(reached_low, reached_high, 0, 4, 2, 6);
        const auto descending =
            reinterpret_cast<QuadBytes>(__builtin_shufflevector(reached_low, reached_high, 1, 5, 3, 7));
        const Quad lines =
            ascending | reinterpret_cast<Quad>(__builtin_shufflevector(
                            descending, descending, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,  //
                            31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16));
        const Pair all = __builtin_shufflevector(lines, lines, 0, 1) | __builtin_shufflevector(lines, lines, 2, 3);
        return {all[0], all[1]};
    }
};
template <>
inline constexpr bool is_native<BitArithmeticAvx2> = base::isa::has_avx2;
static_assert(Method<BitArithmeticAvx2>);

}  // namespace tsumugi::shogi::slider
