// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdlib>

#include "record/archive.hpp"
#include "think/player.hpp"

namespace tsumugi::learn {

// The verdict of a search as archives store it.
inline std::int16_t to_archived(const think::Score& score) {
    using record::ArchivedPly;
    if (score.kind == think::Score::Kind::centipawns)
        return static_cast<std::int16_t>(
            std::clamp(score.value, -ArchivedPly::least_mate_score + 1, ArchivedPly::least_mate_score - 1));
    const int plies = std::min(std::abs(score.value), ArchivedPly::mate_score - ArchivedPly::least_mate_score);
    const int value = ArchivedPly::mate_score - plies;
    return static_cast<std::int16_t>(score.value >= 0 ? value : -value);
}

}  // namespace tsumugi::learn
