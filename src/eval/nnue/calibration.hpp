// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

#include "base/result.hpp"

namespace tsumugi::eval::nnue {

// The output of a net and what it is compared with: a score, or a result of 1, 0.5 or 0, for the side to move.
struct Observation {
    double raw = 0;
    double target = 0;
    double weight = 1;  // positions that it stands for; only results are weighed
};

// raw = slope * score + offset, by least squares.
struct ScoreFit {
    double slope = 0;  // FV_SCALE that brings the net to the other scores
    double offset = 0;
    double correlation = 0;
    std::size_t count = 0;
};
base::Result<ScoreFit> fit_scores(std::span<const Observation> observations);

// Probability of winning = 1 / (1 + exp(-raw / scale)), by maximum likelihood.
struct ResultFit {
    double scale = 0;
    double loss = 0;      // mean cross-entropy with this scale
    double baseline = 0;  // and when every game is given the mean result
    std::size_t count = 0;
};
base::Result<ResultFit> fit_results(std::span<const Observation> observations);

}  // namespace tsumugi::eval::nnue
