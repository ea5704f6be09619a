// SPDX-License-Identifier: GPL-3.0-or-later
#include "think/win_rate.hpp"

#include <cmath>

namespace tsumugi::think {

double win_rate(const Score& score, double scale) {
    if (score.kind == Score::Kind::mate) return score.value > 0 ? 1 : 0;
    return 1 / (1 + std::exp(-score.value / scale));
}

}  // namespace tsumugi::think
