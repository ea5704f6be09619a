// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arena/game_play.hpp"

// Moves and thoughts of a game as text, for files and for messages.
namespace tsumugi::arena {

// As USI writes them, separated by spaces.
std::string move_text(const std::vector<PlayedMove>& moves);
// A JSON array with [centipawns, mate, depth, nodes, microseconds] for each move.
std::string thought_text(const std::vector<PlayedMove>& moves);
// The moves up to the first that is none; thoughts that are missing or damaged are left out.
std::vector<PlayedMove> parse_moves(std::string_view moves, std::string_view thoughts);

}  // namespace tsumugi::arena
