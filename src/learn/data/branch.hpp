// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "learn/data/growth.hpp"

namespace tsumugi::learn::data {

struct BranchSettings : GrowthSettings {
    int count = 1;  // new positions for each old one
    int moves = 1;  // random moves that lead to it, at most
};

// Positions beside those of games: a search looks at many that nobody would play to, and a net that has only seen good
// play misjudges them. From every position with a score one or a few random moves are played and then the captures of
// the best line: a net is asked about positions in which nothing hangs any more, and what hung is the search's
// business. The score is the evaluation there. Positions in check, decided or without a legal move are left out. The
// same settings give the same positions, in the same order, whatever the number of workers.
base::Result<GrowthReport> branch(const BranchSettings& settings, const Monitor& monitor);

}  // namespace tsumugi::learn::data
