// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/slider/file_lookup.hpp"
#include "shogi/slider/file_major_occupied.hpp"
#include "shogi/slider/magic.hpp"

namespace tsumugi::shogi::slider {

// Magic on the ordinary layout, where one board serves the magics and the direct look-up of files.
struct MagicVertical {
    static constexpr const char* name = "magic-vertical";
    using Occupied = FileMajorOccupied<Magic>;

    static Bitboard rook(Square s, const Occupied& o) { return o.rook(s); }
    static Bitboard bishop(Square s, const Occupied& o) { return o.bishop(s); }
    template <Color C>
    static Bitboard lance(Square s, const Occupied& o) {
        return FileLookup::forward<C>(s, o.board());
    }

    static std::size_t table_bytes() { return Occupied::table_bytes() + FileLookup::table_bytes(); }
};
static_assert(Method<MagicVertical>);

}  // namespace tsumugi::shogi::slider
