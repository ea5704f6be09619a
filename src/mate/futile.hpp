// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/position.hpp"

namespace tsumugi::mate {

// How the moves of a mate are counted.
enum class Counting {
    every_move,
    // As composed problems are counted: a mate stands on the board already when nothing but futile interpositions is
    // left (see ends_but_for_futility).
    without_futile,
};

// Is the defender, to move and in check, mated but for drops that change nothing? That is so when his only legal moves
// are drops between his king and the one piece that gives check, and wherever he drops, that piece takes, gives check
// again and leaves him in the same case, whatever he may still hold. True for a plain mate as well.
bool ends_but_for_futility(const shogi::Position& position);

}  // namespace tsumugi::mate
