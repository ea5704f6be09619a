// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/random.hpp"
#include "shogi/setup.hpp"

namespace tsumugi::learn {

// A random position of the last phase of a game in which at least one king is in or before the opponent's camp.
// Ordinary games that are given up early hardly ever get there, so an evaluation would not learn such positions.
shogi::Setup entering_king_start(base::Random& random);

}  // namespace tsumugi::learn
