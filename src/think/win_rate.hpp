// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "think/player.hpp"

namespace tsumugi::think {

// Centipawns at which a player scores e points for every one of his opponent: fitted to games of the built-in net with
// itself. docs/training.md tells how to find out for another.
constexpr int own_win_rate_scale = 744;

// The share of the points that the side to move can expect from a score: 1 / (1 + exp(-score / scale)). A draw counts
// half, a mate is certain.
double win_rate(const Score& score, double scale = own_win_rate_scale);

}  // namespace tsumugi::think
