// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "record/csa.hpp"
#include "record/game.hpp"

namespace tsumugi::record {

// The header of a game that a line "$KEYWORD:…" or a player's line stands for: EVENT is 棋戦. Keywords without a
// counterpart keep their own name.
std::string header_for_csa_keyword(std::string_view keyword);

// The lines N+, N- and $… of a game.
std::string csa_headers(const Game& game, CsaVersion version);

}  // namespace tsumugi::record
