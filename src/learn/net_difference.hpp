// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "eval/nnue/evaluator.hpp"
#include "eval/nnue/parameter.hpp"
#include "shogi/position.hpp"

namespace tsumugi::learn {

// How far one part of a net is from the same part of another.
struct SectionDifference {
    std::string_view name;
    std::uint64_t numbers = 0;
    std::uint64_t different = 0;
    std::int64_t largest = 0;  // of either sign
    double mean = 0;           // of the absolute differences
};

// Layer stacks are taken together. Fails for nets of different architectures.
base::Result<std::vector<SectionDifference>> section_differences(const eval::nnue::Parameters& a,
                                                                 const eval::nnue::Parameters& b);

// How differently two nets see positions, in units of score; b less a.
struct ScoreDifference {
    std::uint64_t positions = 0;
    std::uint64_t different = 0;
    std::uint64_t other_side = 0;  // one net prefers Black, the other White
    int largest = 0;
    double bias = 0;  // mean
    double mean = 0;  // of the absolute differences
    double deviation = 0;
    double correlation = 0;  // of the scores
};

class ScoreComparison {
public:
    ScoreComparison(const eval::nnue::NetEvaluator& a, const eval::nnue::NetEvaluator& b)
        : first_(a.start()), second_(b.start()) {}

    // Positions in check are passed over: a static score means little there.
    void add(const shogi::Position& position);
    [[nodiscard]] ScoreDifference difference() const;

private:
    std::unique_ptr<eval::Evaluation> first_;
    std::unique_ptr<eval::Evaluation> second_;
    ScoreDifference counts_;
    // Sums of a, b, their squares and their product; of the differences and their squares.
    double sum_a_ = 0;
    double sum_b_ = 0;
    double sum_aa_ = 0;
    double sum_bb_ = 0;
    double sum_ab_ = 0;
    double sum_size_ = 0;
};

}  // namespace tsumugi::learn
