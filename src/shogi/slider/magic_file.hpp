// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/slider/magic.hpp"

namespace tsumugi::shogi::slider {

// Magic on the rank-major layout with magic numbers of its own for files, whose table is far smaller than the
// rook's ("FileM").
struct MagicFile {
    static constexpr const char* name = "magic-file-magic";
    class Occupied : public RankMajorOccupied {
    public:
        [[nodiscard]] const Bitboard& file(Square s) const { return file_->look_up(s, turned()); }

    private:
        const AttackTable<Magic>* file_ = &shared_table<Magic, Layout::rank_major, Movement::file>();
    };

    static Bitboard rook(Square s, const Occupied& o) { return o.rook(s); }
    static Bitboard bishop(Square s, const Occupied& o) { return o.bishop(s); }
    template <Color C>
    static Bitboard lance(Square s, const Occupied& o) {
        return o.file(s) & FileLine::ray<C>(s);
    }

    static std::size_t table_bytes() {
        return Occupied::table_bytes() + shared_table<Magic, Layout::rank_major, Movement::file>().bytes() +
               FileLine::table_bytes();
    }
};
static_assert(Method<MagicFile>);

}  // namespace tsumugi::shogi::slider
