// SPDX-License-Identifier: GPL-3.0-or-later
#include "shogi/attack.hpp"

#include <span>

#include "shogi/slider/ray_walk.hpp"

namespace tsumugi::shogi {
namespace {

using slider::RayWalk;
using slider::walk;

struct Step {
    int file;
    int rank;  // negative is forward for Black
};

constexpr std::array<Step, 8> king_pattern{{{0, -1}, {1, -1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}, {1, 1}, {-1, 1}}};
constexpr std::array<Step, 6> gold_pattern{{{0, -1}, {1, -1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}}};
constexpr std::array<Step, 5> silver_pattern{{{0, -1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}}};
constexpr std::array<Step, 2> knight_pattern{{{1, -2}, {-1, -2}}};
constexpr std::array<Step, 1> pawn_pattern{{{0, -1}}};
constexpr std::array<Step, 4> orthogonal_pattern{{{0, -1}, {0, 1}, {1, 0}, {-1, 0}}};
constexpr std::array<Step, 4> diagonal_pattern{{{1, -1}, {-1, -1}, {1, 1}, {-1, 1}}};

constexpr std::span<const Step> pattern_of(Kind kind) {
    switch (kind) {
        case Kind::pawn: return pawn_pattern;
        case Kind::knight: return knight_pattern;
        case Kind::silver: return silver_pattern;
        case Kind::gold:
        case Kind::pro_pawn:
        case Kind::pro_lance:
        case Kind::pro_knight:
        case Kind::pro_silver: return gold_pattern;
        case Kind::king: return king_pattern;
        case Kind::horse: return orthogonal_pattern;
        case Kind::dragon: return diagonal_pattern;
        case Kind::none:
        case Kind::lance:
        case Kind::bishop:
        case Kind::rook: return {};
    }
    return {};
}

constexpr Bitboard steps_from(Square s, std::span<const Step> pattern, Color c) {
    Bitboard reached;
    for (const Step& step : pattern) {
        const int file = s.file() + step.file;
        const int rank = s.rank() + (c == Color::black ? step.rank : -step.rank);
        if (file >= 1 && file <= 9 && rank >= 1 && rank <= 9) reached |= Bitboard(Square::at(file, rank));
    }
    return reached;
}

constexpr Bitboard rays_from(Square s, Kind kind, Color c) {
    switch (kind) {
        case Kind::lance:
            return c == Color::black ? RayWalk::lance<Color::black>(s, {}) : RayWalk::lance<Color::white>(s, {});
        case Kind::bishop:
        case Kind::horse: return RayWalk::bishop(s, {});
        case Kind::rook:
        case Kind::dragon: return RayWalk::rook(s, {});
        default: return {};
    }
}

// A move backwards is a move of the other side's piece: from the king to where it is checked, and on to the origins.
constexpr Bitboard origins_of_checks(const AttackTables& t, Color c, Kind kind, Square king) {
    const auto& back = t.reach[index(~c)];
    const Bitboard& zone = promotion_zone[index(c)];
    Bitboard origins;
    for (Bitboard checks = back[index(kind)][king.slot()]; checks.any();)
        origins |= back[index(kind)][checks.pop_first().slot()];
    if (!can_promote(kind)) return origins;
    for (Bitboard checks = back[index(promoted(kind))][king.slot()]; checks.any();) {
        const Square s = checks.pop_first();
        origins |= zone.has(s) ? back[index(kind)][s.slot()] : back[index(kind)][s.slot()] & zone;
    }
    return origins;
}

constexpr AttackTables make_tables() {
    AttackTables t{};
    for (std::size_t i = 0; i < Square::count; ++i) {
        const Square s = Square::from_index(i);
        for (const Color c : both_colors) {
            for (const Kind k : all_kinds) {
                t.step[index(c)][index(k)][i] = steps_from(s, pattern_of(k), c);
                t.reach[index(c)][index(k)][i] = t.step[index(c)][index(k)][i] | rays_from(s, k, c);
            }
        }
        for (const Step& d : king_pattern) {
            const Bitboard whole = walk(s, d.file, d.rank, {}) | walk(s, -d.file, -d.rank, {}) | Bitboard(s);
            Bitboard passed;
            int file = s.file() + d.file;
            int rank = s.rank() + d.rank;
            for (; file >= 1 && file <= 9 && rank >= 1 && rank <= 9; file += d.file, rank += d.rank) {
                const Square other = Square::at(file, rank);
                t.between[i][other.slot()] = passed;
                t.line[i][other.slot()] = whole;
                passed |= Bitboard(other);
            }
        }
    }
    for (std::size_t i = 0; i < Square::count; ++i)
        for (const Color c : both_colors)
            for (const Kind k : all_kinds)
                t.check_origins[index(c)][index(k)][i] = origins_of_checks(t, c, k, Square::from_index(i));
    return t;
}

}  // namespace

constinit const AttackTables attack_tables = make_tables();

}  // namespace tsumugi::shogi
