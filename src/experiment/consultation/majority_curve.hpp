// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/chart.hpp"

namespace tsumugi::experiment::consultation {

// The paper's F(p): how often the majority of so many independent players is right on a question of yes or no, when
// each is right with probability p. A tie is decided by lot, so an even number of them is as good as one fewer.
double majority_rate(double p, int players);

// F(p) - p, the paper's figure 3.
report::Chart majority_curve();

}  // namespace tsumugi::experiment::consultation
