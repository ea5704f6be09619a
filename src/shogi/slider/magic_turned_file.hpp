// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/slider/file_lookup.hpp"
#include "shogi/slider/magic.hpp"

namespace tsumugi::shogi::slider {

// Magic on the rank-major layout; files are looked up in a second board turned by 90 degrees ("FileR"). Turning
// the rank-major board gives the ordinary one, which is kept anyway.
struct MagicTurnedFile {
    static constexpr const char* name = "magic-file-rotated";
    using Occupied = RankMajorOccupied;

    static Bitboard rook(Square s, const Occupied& o) { return o.rook(s); }
    static Bitboard bishop(Square s, const Occupied& o) { return o.bishop(s); }
    template <Color C>
    static Bitboard lance(Square s, const Occupied& o) {
        return FileLookup::forward<C>(s, o.board());
    }

    static std::size_t table_bytes() { return Occupied::table_bytes() + FileLookup::table_bytes(); }
};
static_assert(Method<MagicTurnedFile>);

}  // namespace tsumugi::shogi::slider
