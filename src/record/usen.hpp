// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "record/game.hpp"

namespace tsumugi::record {

// USEN, a game with its variations in characters that may stand in a URL:
//   [start] ~0.moves.end ~offset.moves.end …
// The start is an SFEN without move number, with _ . z for / space +, and is left out for an even game. The first
// line of moves is the main line; each further one branches off after `offset` moves of the line before it. A move is
// three base-36 digits of ((from * 81 + to) * 2 + promotes), squares counted rank by rank from 1a; a drop has 81 + 9
// (gold), 10 (pawn), 11 lance, 12 knight, 13 silver, 14 bishop or 15 (rook) as its origin. The end is r (resigned),
// t (time), i (illegal), p (paused), j (drawn) or nothing.
base::Result<Game> parse_usen(std::string_view text);

// Comments, times and headers have no place in it, and endings are reduced to the five above.
std::string to_usen(const Game& game);

}  // namespace tsumugi::record
