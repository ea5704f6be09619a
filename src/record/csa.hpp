// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "record/encoding.hpp"
#include "record/game.hpp"

namespace tsumugi::record {

enum class CsaVersion { v2_2, v3_0 };

// Every game of a CSA file (V1 to V3.0; games are separated by lines "/"), in the order of the file. A game that
// cannot be read is an error naming line and column, and the next one is read all the same. A text without any
// statement holds no game.
//
// Comments: "'*text" and, from the start position on, "'text" belong to the move before them. A comment "'text" before
// the start position describes the file and is left out. The evaluation that floodgate notes as "'** 30 +7776FU" is the
// comment "* 30 +7776FU".
std::vector<base::Result<Game>> parse_csa(std::string_view text);

// The main line only, because CSA knows no variations. Headers without a keyword of their own are written as
// "$name:value"; V2.2 keeps whole seconds only. Fails on a move that moves no piece.
// The first line of V3.0 names the encoding, so it depends on how the caller will store the text.
base::Result<std::string> to_csa(const Game& game, CsaVersion version = CsaVersion::v2_2,
                                 Encoding stored_as = Encoding::utf8);
// Several games in one file.
base::Result<std::string> to_csa(std::span<const Game> games, CsaVersion version, Encoding stored_as);

}  // namespace tsumugi::record
