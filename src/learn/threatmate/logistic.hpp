// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.hpp"

namespace tsumugi::learn::threatmate {

// Rows of numbers with a yes or no each.
struct Observations {
    std::size_t width = 0;
    std::vector<double> values;  // row after row
    std::vector<bool> answers;

    [[nodiscard]] std::size_t size() const { return answers.size(); }
    [[nodiscard]] std::span<const double> row(std::size_t i) const {
        return std::span(values).subspan(i * width, width);
    }
    void add(std::span<const double> row, bool answer) {
        values.insert(values.end(), row.begin(), row.end());
        answers.push_back(answer);
    }
};

// The probability of a yes is 1 / (1 + exp(-score)).
struct LogisticModel {
    double bias = 0;
    std::vector<double> weights;       // of the numbers as they come
    std::vector<double> standardised;  // of the same numbers in standard deviations, to compare them by

    [[nodiscard]] double score(std::span<const double> row) const;
    [[nodiscard]] double probability(std::span<const double> row) const;
};

struct FitSettings {
    double ridge = 1;         // penalty on half the square of a standardised weight
    int most_steps = 50;      // of Newton's method
    double precision = 1e-8;  // of the weights, where it stops
};

// Maximum likelihood with a ridge, by Newton's method on standardised numbers. The bias is not penalised. Needs yeses
// and noes; a number that never changes has weight 0.
base::Result<LogisticModel> fit(const Observations& observations, const FitSettings& settings = {});

}  // namespace tsumugi::learn::threatmate
