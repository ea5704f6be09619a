// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "shogi/board.hpp"
#include "shogi/move.hpp"

namespace tsumugi::eval::nnue {

// How the inputs of the shogi networks are numbered (docs/nets.md). Every piece is seen by both players: each turns
// the board so that his own pieces move towards rank 1. One player's pieces then give "planes" of numbers, and
// most feature sets hold one copy ("block") of the planes for every place of the kings.

// Which pieces are inputs.
enum class Planes {
    p,    // everything but the kings
    a1,   // with the kings, each on a plane of its own
    a2,   // with the kings, both on the same plane
    ka2,  // a2, and the kings once more on planes of their own
};

// What selects the block.
enum class Kings {
    any,             // nothing: there is one block
    side_mirrored,   // nothing, but the board is mirrored when the player's own king stands on files 6 to 9
    own,             // the player's own king
    own_mirrored,    // the same, the board mirrored when the king stands on files 6 to 9
    own_other_file,  // the own king and the file of the other
    own_other_rank,  // the own king and the rank of the other
};

constexpr int hand_end = 90;
constexpr int first_king_plane = 1548;
constexpr int second_king_plane = first_king_plane + shogi::Square::count;
constexpr int both_king_planes_end = second_king_plane + shogi::Square::count;

constexpr int plane_count(Planes planes) {
    switch (planes) {
        case Planes::p: return first_king_plane;
        case Planes::a1: return both_king_planes_end;
        case Planes::a2: return second_king_plane;
        case Planes::ka2: return second_king_plane + 2 * shogi::Square::count;
    }
    return 0;
}

namespace detail {

// Hand: the number of the first piece of a kind, for its owner and for the other player. Indexed by Kind.
constexpr std::array<std::array<std::uint16_t, 8>, 2> hand_start{{
    {0, 1, 39, 49, 59, 79, 85, 69},
    {0, 20, 44, 54, 64, 82, 88, 74},
}};

// Board: the number of the plane of a kind for its owner; the other player's copy follows 81 numbers later.
constexpr std::array<std::uint16_t, shogi::kind_slots> board_start{
    0,    90,  252, 414, 576, 900,  1224, 738,  // none, pawn, lance, knight, silver, bishop, rook, gold
    1548, 738, 738, 738, 738, 1062, 1386,       // king, the promoted small pieces (as gold), horse, dragon
};

}  // namespace detail

// Square numbers as a player sees them: [turned board][mirrored board][square].
constexpr auto seen_square = [] {
    std::array<std::array<std::array<std::uint8_t, shogi::Square::count>, 2>, 2> table{};
    for (std::size_t i = 0; i < shogi::Square::count; ++i) {
        const shogi::Square s = shogi::Square::from_index(i);
        table[0][0][i] = static_cast<std::uint8_t>(s.index());
        table[1][0][i] = static_cast<std::uint8_t>(s.rotated().index());
        table[0][1][i] = static_cast<std::uint8_t>(s.mirrored().index());
        table[1][1][i] = static_cast<std::uint8_t>(s.rotated().mirrored().index());
    }
    return table;
}();

// The plane of a piece: [player][piece].
template <Planes planes>
constexpr auto board_plane = [] {
    std::array<std::array<std::uint16_t, shogi::Piece::slots>, 2> table{};
    for (const shogi::Color viewer : shogi::both_colors)
        for (const shogi::Color owner : shogi::both_colors)
            for (const shogi::Kind kind : shogi::all_kinds) {
                const bool folded = kind == shogi::Kind::king && (planes == Planes::a2 || planes == Planes::ka2);
                const int start = detail::board_start[index(kind)] + (owner != viewer && !folded ? 81 : 0);
                table[index(viewer)][shogi::Piece(owner, kind).slot()] = static_cast<std::uint16_t>(start);
            }
    return table;
}();

// The number of the n-th (from 0) piece of a kind in `owner`'s hand for `viewer`.
constexpr int hand_number(shogi::Color viewer, shogi::Color owner, shogi::Kind kind, int n) {
    return detail::hand_start[viewer == owner ? 0 : 1][index(kind)] + n;
}

// A feature set. `attacks` multiplies the numbers by how often both sides attack the piece's square.
template <Planes planes, Kings kings, bool attacks = false>
struct FeatureSet {
    static constexpr bool has_blocks = kings != Kings::any && kings != Kings::side_mirrored;
    static constexpr bool other_king_selects = kings == Kings::own_other_file || kings == Kings::own_other_rank;
    static constexpr bool counts_attacks = attacks;
    static constexpr int stride = plane_count(planes);
    static constexpr std::size_t blocks = !has_blocks                    ? 1
                                          : kings == Kings::own_mirrored ? 45
                                          : other_king_selects           ? 729
                                                                         : 81;
    static constexpr std::size_t attack_stride = blocks * stride;
    static constexpr std::size_t attack_classes = attacks ? 9 : 1;
    static constexpr std::size_t inputs = attack_stride * attack_classes;
    // Places of the kings with an accumulator of their own: both sides of a mirrored block differ.
    static constexpr std::size_t king_places = kings == Kings::own_mirrored    ? 81
                                               : kings == Kings::side_mirrored ? 2
                                                                               : blocks;

    // How one player looks at a position.
    struct View {
        shogi::Color viewer;
        std::uint32_t base = 0;  // first number of the block
        std::size_t place = 0;   // of the kings, below king_places
        const std::uint8_t* seen = nullptr;

        [[nodiscard]] std::uint32_t on_board(shogi::Piece piece, shogi::Square s) const {
            return base + board_plane<planes>[index(viewer)][piece.slot()] + seen[s.slot()];
        }
        [[nodiscard]] std::uint32_t in_hand(shogi::Color owner, shogi::Kind kind, int n) const {
            return base + static_cast<std::uint32_t>(hand_number(viewer, owner, kind, n));
        }
        // Calls f(number) for every number of a piece on the board: none for a king that is no input.
        template <typename F>
        void for_each_number(shogi::Piece piece, shogi::Square s, F&& f) const {
            if (piece.kind() == shogi::Kind::king) {
                if constexpr (planes == Planes::p) return;
                if constexpr (planes == Planes::ka2)
                    f(base + static_cast<std::uint32_t>(second_king_plane + (piece.color() == viewer ? 0 : 81)) +
                      seen[s.slot()]);
            }
            f(on_board(piece, s));
        }
    };

    // `board` is anything that knows where the kings are.
    template <typename Pieces>
    static View view(const Pieces& board, shogi::Color viewer) {
        View v{viewer, 0, 0, seen_square[index(viewer)][0].data()};
        if constexpr (kings == Kings::side_mirrored) {
            v.place = is_mirrored(board.king(viewer), viewer) ? 1 : 0;
            v.seen = seen_square[index(viewer)][v.place].data();
        }
        if constexpr (has_blocks) {
            const std::uint8_t own = place_of(board.king(viewer), v.seen);
            v.place = own;
            std::size_t block = own;
            if constexpr (kings == Kings::own_mirrored) {
                if (own >= 45) {
                    v.seen = seen_square[index(viewer)][1].data();
                    block = place_of(board.king(viewer), v.seen);
                }
            }
            if constexpr (other_king_selects) {
                const std::uint8_t other = place_of(board.king(~viewer), v.seen);
                block += 81U * (kings == Kings::own_other_file ? other / 9U : other % 9U);
                v.place = block;
            }
            v.base = static_cast<std::uint32_t>(block * stride);
        }
        return v;
    }

    // Does this king's move give the viewer's pieces other numbers?
    static constexpr bool reselects(shogi::Color viewer, shogi::Piece moved, shogi::Move move) {
        if (kings == Kings::any || moved.kind() != shogi::Kind::king) return false;
        if (kings == Kings::side_mirrored)
            return moved.color() == viewer && is_mirrored(move.from(), viewer) != is_mirrored(move.to(), viewer);
        return other_king_selects || moved.color() == viewer;
    }

private:
    static constexpr bool is_mirrored(shogi::Square king, shogi::Color viewer) {
        return !king.is_none() && seen_square[index(viewer)][0][king.slot()] >= 45;
    }
    // A mate problem may have no king: any place will do, as long as it is always the same.
    static std::uint8_t place_of(shogi::Square king, const std::uint8_t* seen) {
        return king.is_none() ? std::uint8_t{44} : seen[king.slot()];
    }
};

using P = FeatureSet<Planes::p, Kings::any>;
using KP = FeatureSet<Planes::a1, Kings::any>;
using KPhm = FeatureSet<Planes::a1, Kings::side_mirrored>;
using KA2 = FeatureSet<Planes::ka2, Kings::any>;
using HalfKP = FeatureSet<Planes::p, Kings::own>;
using HalfKPvm = FeatureSet<Planes::p, Kings::own_mirrored>;
using HalfKPE9 = FeatureSet<Planes::p, Kings::own, true>;
using HalfKPKfile = FeatureSet<Planes::p, Kings::own_other_file>;
using HalfKPKrank = FeatureSet<Planes::p, Kings::own_other_rank>;
using HalfKA1 = FeatureSet<Planes::a1, Kings::own>;
using HalfKA2 = FeatureSet<Planes::a2, Kings::own>;
using HalfKAhm1 = FeatureSet<Planes::a1, Kings::own_mirrored>;
using HalfKAhm2 = FeatureSet<Planes::a2, Kings::own_mirrored>;

static_assert(P::inputs == 1548 && KP::inputs == 1710 && KPhm::inputs == 1710 && KA2::inputs == 1791);
static_assert(HalfKP::inputs == 125388 && HalfKPvm::inputs == 69660 && HalfKPE9::inputs == 1128492);
static_assert(HalfKPKfile::inputs == 1128492 && HalfKPKrank::inputs == 1128492);
static_assert(HalfKA1::inputs == 138510 && HalfKA2::inputs == 131949);
static_assert(HalfKAhm1::inputs == 76950 && HalfKAhm2::inputs == 73305);

}  // namespace tsumugi::eval::nnue
