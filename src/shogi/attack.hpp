// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "shogi/bitboard.hpp"
#include "shogi/piece.hpp"

namespace tsumugi::shogi {

template <typename T>
using PerSquare = std::array<T, Square::count>;

// Geometry that does not depend on the other pieces. The tables are constant-initialised in attack.cpp.
struct AttackTables {
    // What a piece reaches in one step: everything for the stepping kinds, the king-like part for horse and
    // dragon, nothing for lance, bishop and rook.
    std::array<std::array<PerSquare<Bitboard>, kind_slots>, 2> step;
    // What a piece would reach on an empty board, sliding included. A piece attacks a square of its reach
    // exactly when nothing stands between: that holds for steppers and jumpers too, whose `between` is empty.
    std::array<std::array<PerSquare<Bitboard>, kind_slots>, 2> reach;
    // From where a piece could give check to a king on this square in one move, promotion included, on an empty board.
    std::array<std::array<PerSquare<Bitboard>, kind_slots>, 2> check_origins;
    // Squares strictly between two squares of a common rank, file or diagonal; empty otherwise.
    PerSquare<PerSquare<Bitboard>> between;
    // The whole rank, file or diagonal through two squares, both included; empty when there is none.
    PerSquare<PerSquare<Bitboard>> line;
};

extern const AttackTables attack_tables;

inline const Bitboard& step_attacks(Color c, Kind k, Square s) {
    return attack_tables.step[index(c)][index(k)][s.slot()];
}
inline const Bitboard& reach(Color c, Kind k, Square s) { return attack_tables.reach[index(c)][index(k)][s.slot()]; }
inline const Bitboard& bishop_rays(Square s) { return reach(Color::black, Kind::bishop, s); }
inline const Bitboard& rook_rays(Square s) { return reach(Color::black, Kind::rook, s); }
inline const Bitboard& lance_ray(Color c, Square s) { return reach(c, Kind::lance, s); }
inline const Bitboard& king_steps(Square s) { return step_attacks(Color::black, Kind::king, s); }
inline const Bitboard& gold_steps(Color c, Square s) { return step_attacks(c, Kind::gold, s); }
inline const Bitboard& check_origins(Color c, Kind k, Square king) {
    return attack_tables.check_origins[index(c)][index(k)][king.slot()];
}
inline const Bitboard& between(Square a, Square b) { return attack_tables.between[a.slot()][b.slot()]; }
inline const Bitboard& line_through(Square a, Square b) { return attack_tables.line[a.slot()][b.slot()]; }

// Squares at most 2 or 3 king's steps away, the square itself included.
constexpr std::array<PerSquare<Bitboard>, 2> neighbourhoods = [] {
    std::array<PerSquare<Bitboard>, 2> table{};
    for (int distance = 2; distance <= 3; ++distance)
        for (std::size_t i = 0; i < Square::count; ++i) {
            const Square s = Square::from_index(i);
            Bitboard set(0, 0);
            for (int file = s.file() - distance; file <= s.file() + distance; ++file)
                for (int rank = s.rank() - distance; rank <= s.rank() + distance; ++rank)
                    if (file >= 1 && file <= 9 && rank >= 1 && rank <= 9) set |= Bitboard(Square::at(file, rank));
            table[static_cast<std::size_t>(distance - 2)][i] = set;
        }
    return table;
}();
inline const Bitboard& within(Square s, int distance) {
    return neighbourhoods[static_cast<std::size_t>(distance - 2)][s.slot()];
}

// Where an unpromoted piece could never move again: it must promote there and may not be dropped there.
constexpr std::array<std::array<Bitboard, kind_slots>, 2> dead_end = [] {
    std::array<std::array<Bitboard, kind_slots>, 2> table{};
    for (const Color c : both_colors) {
        table[index(c)].fill(Bitboard(0, 0));
        const Bitboard last = rank_set(1, c);
        table[index(c)][index(Kind::pawn)] = last;
        table[index(c)][index(Kind::lance)] = last;
        table[index(c)][index(Kind::knight)] = last | rank_set(2, c);
    }
    return table;
}();

}  // namespace tsumugi::shogi
