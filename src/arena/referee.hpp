// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "arena/verdict.hpp"
#include "shogi/declaration.hpp"
#include "shogi/position.hpp"

namespace tsumugi::arena {

// By which rules games are played.
struct Rules {
    shogi::EnteringKingRule declaration = shogi::EnteringKingRule::points27;
    int max_moves = 320;  // the game is a draw after the move of this number; 0 for no limit
};

// "27", "24", "27-handicap", "24-handicap", "try", "none".
base::Result<shogi::EnteringKingRule> parse_declaration_rule(std::string_view name);
std::string_view name(shogi::EnteringKingRule rule);
// The value of the USI option EnteringKingRule that means it.
std::string_view option_value(shogi::EnteringKingRule rule);

// Is the game over in this position, before anybody moves? Mate counts before repetition, repetition before the
// number of moves.
std::optional<Verdict> judge(const shogi::Position& position, const Rules& rules);

// The side to move claims the win.
Verdict judge_declaration(const shogi::Position& position, const Rules& rules);

}  // namespace tsumugi::arena
