// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "record/game.hpp"
#include "shogi/piece.hpp"

// The names that CSA gives to pieces and endings; JKF uses the same.
namespace tsumugi::record {

// FU, KY, … RY; empty for Kind::none.
std::string_view csa_kind(shogi::Kind kind);
// Kind::none if there is no such name.
shogi::Kind find_csa_kind(std::string_view name);

// TORYO, CHUDAN, … without CSA's '%'. A foul of the opponent is named after the side that committed it; a game won or
// lost without play has no name of its own and is CHUDAN.
std::string_view csa_ending(Ending ending, shogi::Color to_move);
std::optional<Ending> find_csa_ending(std::string_view name);

}  // namespace tsumugi::record
