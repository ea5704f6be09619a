// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "record/game.hpp"

namespace tsumugi::record {

// JSON Kifu Format. Moves may be complete ("from" and "to" given) or as written down by people ("same" in place of
// "to", "relative" in place of "from"), which is resolved in the position. Variations nested deeper than 500 are
// refused.
base::Result<Game> parse_jkf(std::string_view text);

// Complete moves with "same", "promote" and "capture". Bookmarks and the number of the first move are not kept. Fails
// on a move that moves no piece.
base::Result<std::string> to_jkf(const Game& game);

}  // namespace tsumugi::record
