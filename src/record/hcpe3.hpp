// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.hpp"
#include "record/archive.hpp"

// hcpe3, dlshogi's format for whole games. All numbers have 16 bits, low byte first.
//   game        hcp of the start (32 bytes), number of moves, result (1 byte), opponents (1 byte)
//   each move   the move played, its evaluation for the side to move, number of candidates
//   candidate   a move and how often it was visited
// The result is 0 for a draw, 1 or 2 when Black or White won; 4 is added after a repetition, 8 after a declaration and
// 16 when the longest game was reached.

namespace tsumugi::record {

// Adds a game to the bytes of a file. A move with a score becomes its only candidate; one without has none, which is
// how the format marks positions that are not to be learnt from. The number of the game has no place, nor have mate and
// adjudication as its end.
base::Result<void> append_hcpe3(const ArchivedGame& game, std::string& out);

// Reads the game at the front of the bytes and says how many it takes. Its number is left as it is. Every move is
// legal.
base::Result<std::size_t> read_hcpe3(std::span<const std::uint8_t> bytes, ArchivedGame& game);

}  // namespace tsumugi::record
