// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/isa.hpp"
#include "shogi/slider/ray_mask.hpp"
#include "shogi/slider/vector.hpp"

namespace tsumugi::shogi::slider {

// Bit arithmetic on two rays at once: one 128-bit register holds the low words of a ray and its opposite, another
// their high words. A word that is zero compares as all ones, which is the borrow of its neighbour.
struct BitArithmeticSse {
    static constexpr const char* name = "bit-arithmetic-sse";
    using Occupied = PlainOccupied;

    static Bitboard bishop(Square s, const Occupied& o) {
        const RayMask<4>& rays = bishop_masks[s.slot()].rays;
        const Lines occupied = both_ways(o.board());
        const Lines first = reach(occupied, {Pair{rays.low[0], rays.low[1]}, Pair{rays.high[0], rays.high[1]}});
        const Lines second = reach(occupied, {Pair{rays.low[2], rays.low[3]}, Pair{rays.high[2], rays.high[3]}});
        return join({first.low | second.low, first.high | second.high});
    }
    static Bitboard rook(Square s, const Occupied& o) {
        const RookMask& mask = rook_masks[s.slot()];
        const Lines rank{Pair{mask.rank.low[0], mask.rank.low[1]}, Pair{mask.rank.high[0], mask.rank.high[1]}};
        return join(reach(both_ways(o.board()), rank)) | FileLine::both(mask.file, o.board());
    }
    template <Color C>
    static Bitboard lance(Square s, const Occupied& o) {
        return FileLine::forward<C>(s, o.board());
    }

    static constexpr std::size_t table_bytes() {
        return sizeof(bishop_masks) + sizeof(rook_masks) + FileLine::table_bytes();
    }

private:
    // First element: the ascending ray; second: the descending one, bytes reversed.
    struct Lines {
        Pair low;
        Pair high;
    };

    static Lines both_ways(const Bitboard& board) {
        const auto bytes = std::bit_cast<PairBytes>(Pair{board.low(), board.high()});
        return {std::bit_cast<Pair>(__builtin_shufflevector(bytes, bytes, 0, 1, 2, 3, 4, 5, 6, 7,  //
                                                            15, 14, 13, 12, 11, 10, 9, 8)),
                std::bit_cast<Pair>(__builtin_shufflevector(bytes, bytes, 8, 9, 10, 11, 12, 13, 14, 15,  //
                                                            7, 6, 5, 4, 3, 2, 1, 0))};
    }
    static Lines reach(const Lines& occupied, const Lines& mask) {
        const Pair low = occupied.low & mask.low;
        const Pair high = occupied.high & mask.high;
        const auto minus_borrow = std::bit_cast<Pair>(low == 0);
        return {(low ^ (low - 1)) & mask.low, (high ^ (high + minus_borrow)) & mask.high};
    }
    static Bitboard join(const Lines& reached) {
        const Pair ascending = __builtin_shufflevector(reached.low, reached.high, 0, 2);
        const auto descending = std::bit_cast<PairBytes>(__builtin_shufflevector(reached.low, reached.high, 1, 3));
        const Pair all = ascending | std::bit_cast<Pair>(__builtin_shufflevector(descending, descending, 15, 14, 13, 12,
                                                                                 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
        return {all[0], all[1]};
    }
};
// The byte shuffles need SSSE3, the comparison SSE4.1; other vector units are not known to do well.
template <>
inline constexpr bool is_native<BitArithmeticSse> = base::isa::has_sse42;
static_assert(Method<BitArithmeticSse>);

}  // namespace tsumugi::shogi::slider
