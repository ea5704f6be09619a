// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "learn/threatmate/logistic.hpp"
#include "learn/threatmate/sample.hpp"

namespace tsumugi::learn::threatmate {

// What a model said of a sample, and what is true.
struct Guess {
    double probability = 0;
    bool threat = false;
};

// How often guesses are right, with a probability above one half taken for a yes.
struct Quality {
    std::size_t true_positives = 0;
    std::size_t false_negatives = 0;
    std::size_t true_negatives = 0;
    std::size_t false_positives = 0;
    double area = 0;  // under the ROC curve: how often a threat is rated above another move

    [[nodiscard]] std::size_t positives() const { return true_positives + false_negatives; }
    [[nodiscard]] std::size_t negatives() const { return true_negatives + false_positives; }
    [[nodiscard]] double accuracy() const;
    [[nodiscard]] double true_positive_rate() const;
    [[nodiscard]] double true_negative_rate() const;
};
Quality quality_of(std::span<const Guess> guesses);

// A choice of the probability that counts as a yes.
struct RocPoint {
    double false_positive_rate = 0;
    double true_positive_rate = 0;
};
// From (0, 0) to (1, 1); at most about so many points.
std::vector<RocPoint> roc_curve(std::span<const Guess> guesses, std::size_t points = 200);

Observations observations_of(std::span<const Sample> samples);

// Guesses of every sample by a model that was fitted without the fold of its game. Games are dealt to the folds by the
// seed, so that no game stands on both sides.
base::Result<std::vector<Guess>> cross_validate(std::span<const Sample> samples, int folds, std::uint64_t seed,
                                                const FitSettings& settings);

}  // namespace tsumugi::learn::threatmate
