// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "arena/standing.hpp"
#include "report/statistic.hpp"

namespace tsumugi::arena {

struct Rating {
    double elo = 0;  // above the average of all
    report::Interval interval;
    double points = 0;
    std::uint64_t games = 0;
};

struct RatingList {
    std::vector<Rating> ratings;  // by engine
    // Somebody won or lost everything against a part of the field, so that no finite ratings explain the results best.
    // Then everybody is given one drawn game more, against the average.
    bool padded = false;
};

// The ratings under which the results are most likely, by the logistic model with a draw as half a win. Intervals
// come from how much the pairs of games scatter, not from the model: a pair counts as one observation.
RatingList rate(std::size_t engines, const std::map<Standing::Pairing, ScoreSheet>& sheets, double confidence = 0.95);

}  // namespace tsumugi::arena
