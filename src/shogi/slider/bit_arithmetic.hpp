// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "shogi/slider/ray_mask.hpp"

namespace tsumugi::shogi::slider {

// Attacks by subtraction: with o the occupied squares of a ray, o - 1 turns over every bit up to the nearest
// of them, so o ^ (o - 1), cut to the ray, is what the slider reaches. No tables beyond the rays themselves.
// This form uses general registers only.
struct BitArithmetic {
    static constexpr const char* name = "bit-arithmetic";
    using Occupied = PlainOccupied;

    static constexpr Bitboard bishop(Square s, const Occupied& o) {
        const RayMask<4>& rays = bishop_masks[s.slot()].rays;
        const Wide occupied = wide(o.board().low(), o.board().high());
        const Wide reversed = byte_reversed(occupied);
        return join(reach(occupied, rays, 0) | reach(occupied, rays, 2),
                    reach(reversed, rays, 1) | reach(reversed, rays, 3));
    }
    static constexpr Bitboard rook(Square s, const Occupied& o) {
        const RookMask& mask = rook_masks[s.slot()];
        const Wide occupied = wide(o.board().low(), o.board().high());
        return join(reach(occupied, mask.rank, 0), reach(byte_reversed(occupied), mask.rank, 1)) |
               FileLine::both(mask.file, o.board());
    }
    template <Color C>
    static constexpr Bitboard lance(Square s, const Occupied& o) {
        return FileLine::forward<C>(s, o.board());
    }

    static constexpr std::size_t table_bytes() {
        return sizeof(bishop_masks) + sizeof(rook_masks) + FileLine::table_bytes();
    }

private:
    // The compiler's own 128-bit integer knows the borrow between the words.
    __extension__ using Wide = unsigned __int128;

    static constexpr Wide wide(std::uint64_t low, std::uint64_t high) { return (Wide{high} << 64) | low; }
    static constexpr std::uint64_t low_word(Wide w) { return static_cast<std::uint64_t>(w); }
    static constexpr std::uint64_t high_word(Wide w) { return static_cast<std::uint64_t>(w >> 64); }
    static constexpr Wide byte_reversed(Wide w) {
        return wide(__builtin_bswap64(high_word(w)), __builtin_bswap64(low_word(w)));
    }
    template <std::size_t Rays>
    static constexpr Wide reach(Wide occupied, const RayMask<Rays>& rays, std::size_t ray) {
        const Wide mask = wide(rays.low[ray], rays.high[ray]);
        const Wide blockers = occupied & mask;
        return (blockers ^ (blockers - 1)) & mask;
    }
    static constexpr Bitboard join(Wide ascending, Wide descending) {
        const Wide all = ascending | byte_reversed(descending);
        return {low_word(all), high_word(all)};
    }
};
static_assert(Method<BitArithmetic>);

}  // namespace tsumugi::shogi::slider
