// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "shogi/hand.hpp"
#include "shogi/piece.hpp"
#include "shogi/square.hpp"

namespace tsumugi::shogi {

// Where everything stands: the plain description of a position that text and byte formats read and write.
// It may be impossible (two kings of a colour, too many pawns); Position::from says so.
struct Setup {
    std::array<Piece, Square::count> board{};
    std::array<Hand, 2> hands{};
    Color side_to_move = Color::black;
    int move_number = 1;  // of the next move, as SFEN counts

    [[nodiscard]] Piece at(Square s) const { return board[s.slot()]; }
    void put(Square s, Piece p) { board[s.slot()] = p; }
    [[nodiscard]] Hand& hand(Color c) { return hands[index(c)]; }
    [[nodiscard]] const Hand& hand(Color c) const { return hands[index(c)]; }

    bool operator==(const Setup&) const = default;

    // The start of an even game.
    static Setup even();
};

}  // namespace tsumugi::shogi
