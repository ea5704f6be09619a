// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/ballot.hpp"

#include <cmath>

namespace tsumugi::ensemble {

double win_rate(const think::Score& score, double scale) {
    if (score.kind == think::Score::Kind::mate) return score.value > 0 ? 1 : 0;
    return 1 / (1 + std::exp(-score.value / scale));
}

}  // namespace tsumugi::ensemble
