// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/slider/magic.hpp"

namespace tsumugi::shogi::slider {

// Magic on the rank-major layout; a lance is a rook cut to its file.
struct MagicSimple {
    static constexpr const char* name = "magic-simple";
    using Occupied = RankMajorOccupied;

    static Bitboard rook(Square s, const Occupied& o) { return o.rook(s); }
    static Bitboard bishop(Square s, const Occupied& o) { return o.bishop(s); }
    template <Color C>
    static Bitboard lance(Square s, const Occupied& o) {
        return o.rook(s) & FileLine::ray<C>(s);
    }

    static std::size_t table_bytes() { return Occupied::table_bytes() + FileLine::table_bytes(); }
};
static_assert(Method<MagicSimple>);

}  // namespace tsumugi::shogi::slider
