// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/position.hpp"

namespace tsumugi::shogi {

// How a player whose king has entered the opponent's camp may claim the game.
enum class EnteringKingRule {
    none,
    points24,           // a win with 31 points
    points24_handicap,  // the same; White also counts the pieces it gave as handicap
    points27,           // a win with 28 points for Black, 27 for White
    points27_handicap,
    try_rule,  // a win by a king step to the square where the opponent's king started
};

// Rooks and bishops count five points, other pieces one, kings nothing: what `c` has in the opponent's camp and in
// hand.
int declaration_points(const Board& board, Color c);

// May the side to move end the game by declaration now? Needs its king and ten more pieces in the opponent's camp, no
// check, and enough points. Always false for the try rule, whose win is a move.
bool can_declare_win(const Board& board, bool in_check, EnteringKingRule rule);

// The king step that wins by the try rule, or none.
template <typename P>
Move try_move(const P& position) {
    const Color us = position.side_to_move();
    const Square king = position.king(us);
    const Square goal = us == Color::black ? Square::at(5, 1) : Square::at(5, 9);
    if (king.is_none() || king == goal) return Move::none();
    const Move step = Move::board(king, goal);
    return position.is_legal(step) ? step : Move::none();
}

}  // namespace tsumugi::shogi
