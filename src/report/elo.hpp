// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "report/statistic.hpp"

namespace tsumugi::report {

// The logistic model: 400 points are odds of ten to one. Scores of 0 and 1 are infinitely far away.
double elo_from_score(double score);
double score_from_elo(double elo);

// Results of single games, seen from one side.
struct WinDrawLoss {
    std::uint64_t wins = 0;
    std::uint64_t draws = 0;
    std::uint64_t losses = 0;

    [[nodiscard]] std::uint64_t games() const { return wins + draws + losses; }
};

// Results of pairs of games from the same opening with colours reversed: pairs[i] scored i/2 points of 2.
// The two games of a pair are not independent, so counting pairs gives the right (often smaller) variance.
struct Pentanomial {
    std::array<std::uint64_t, 5> pairs{};

    [[nodiscard]] std::uint64_t count() const { return pairs[0] + pairs[1] + pairs[2] + pairs[3] + pairs[4]; }
};

// Either of them as independent samples of the score per game, so that every formula exists once.
class ScoreSample {
public:
    ScoreSample(const WinDrawLoss& results);
    ScoreSample(const Pentanomial& results);

    [[nodiscard]] std::size_t bins() const { return bins_; }
    [[nodiscard]] double value(std::size_t bin) const {
        return static_cast<double>(bin) / static_cast<double>(bins_ - 1);
    }
    [[nodiscard]] double count(std::size_t bin) const { return counts_[bin]; }
    [[nodiscard]] double samples() const { return samples_; }
    [[nodiscard]] double games_per_sample() const { return bins_ == 3 ? 1 : 2; }

    // Of the score of one sample; at least one sample is needed.
    [[nodiscard]] double mean() const;
    [[nodiscard]] double variance() const;

private:
    ScoreSample(std::span<const std::uint64_t> counts);

    std::array<double, 5> counts_{};
    std::size_t bins_ = 0;
    double samples_ = 0;
};

// Normalized Elo measures the difference in standard deviations of one game, scaled to resemble Elo where draws
// are few: the number of games needed to prove a difference depends on it alone (M. Van den Bergh).
constexpr double normalized_elo_scale = 347.43558552260146;  // 800 / ln 10

struct EloEstimate {
    double score = 0.5;
    double elo = 0;
    Interval elo_interval;
    double normalized_elo = 0;
    Interval normalized_interval;
    // Likelihood of superiority: the probability that the side is the stronger one.
    double superiority = 0.5;
};

// Needs at least one sample. Intervals come from the normal approximation of the mean score.
EloEstimate estimate_elo(const ScoreSample& sample, double confidence = 0.95);

}  // namespace tsumugi::report
