// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "record/game.hpp"

namespace tsumugi::record {

// A game as the USI command gives it: "startpos moves 7g7f …" or "sfen … moves …", with or without "position" before
// it and with or without moves. Errors name the column.
base::Result<Game> parse_usi_game(std::string_view line);

// The main line, without comments, times and ending, for which USI has no words.
std::string to_usi_game(const Game& game);

}  // namespace tsumugi::record
