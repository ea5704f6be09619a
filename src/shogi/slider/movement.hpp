// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "shogi/slider/bit_arithmetic.hpp"

namespace tsumugi::shogi::slider {

// The sets of lines a table of attacks may be made for.
enum class Movement { rook, bishop, file };

inline Bitboard attacks(Movement movement, Square s, const PlainOccupied& occupied) {
    switch (movement) {
        case Movement::rook: return BitArithmetic::rook(s, occupied);
        case Movement::bishop: return BitArithmetic::bishop(s, occupied);
        case Movement::file: return FileLine::both(rook_masks[s.slot()].file, occupied.board());
    }
    std::abort();  // unreachable: the switch names every value
}

// Squares whose occupation changes the attacks: all that are reached on an empty board, without the last one of every
// line, behind which there is nothing to hide.
inline Bitboard relevant_squares(Movement movement, Square s) {
    const Bitboard reached = attacks(movement, s, PlainOccupied());
    const Bitboard edge_files = (file_set(1) | file_set(9)).without(file_set(s.file()));
    const Bitboard edge_ranks = (rank_set(1) | rank_set(9)).without(rank_set(s.rank()));
    return reached.without(edge_files | edge_ranks);
}

// Calls f(occupied) for every way of occupying the squares of `set`, beginning with none. Counting in Gray code
// changes one square at a time.
template <typename F>
void for_each_occupation(const Bitboard& set, F&& f) {
    std::array<Square, Square::count> squares;
    std::size_t count = 0;
    set.for_each([&](Square s) { squares[count++] = s; });
    PlainOccupied occupied;
    f(occupied);
    for (std::uint32_t n = 1; n < std::uint32_t{1} << count; ++n) {
        occupied.toggle(squares[static_cast<std::size_t>(std::countr_zero(n))]);
        f(occupied);
    }
}

}  // namespace tsumugi::shogi::slider
