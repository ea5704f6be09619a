// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/elo.hpp"

#include <cassert>
#include <cmath>
#include <limits>

namespace tsumugi::report {

double elo_from_score(double score) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (score <= 0) return -infinity;
    if (score >= 1) return infinity;
    return 400 * std::log10(score / (1 - score));
}

double score_from_elo(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

ScoreSample::ScoreSample(std::span<const std::uint64_t> counts) : bins_(counts.size()) {
    for (std::size_t i = 0; i < bins_; ++i) {
        counts_[i] = static_cast<double>(counts[i]);
        samples_ += counts_[i];
    }
}

ScoreSample::ScoreSample(const WinDrawLoss& results)
    : ScoreSample(std::array<std::uint64_t, 3>{results.losses, results.draws, results.wins}) {}

ScoreSample::ScoreSample(const Pentanomial& results) : ScoreSample(std::span<const std::uint64_t>(results.pairs)) {}

double ScoreSample::mean() const {
    assert(samples_ > 0);
    double sum = 0;
    for (std::size_t i = 0; i < bins_; ++i)
        sum += counts_[i] * value(i);
    return sum / samples_;
}

double ScoreSample::variance() const {
    const double center = mean();
    double sum = 0;
    for (std::size_t i = 0; i < bins_; ++i)
        sum += counts_[i] * (value(i) - center) * (value(i) - center);
    return sum / samples_;
}

EloEstimate estimate_elo(const ScoreSample& sample, double confidence) {
    EloEstimate estimate;
    estimate.score = sample.mean();
    estimate.elo = elo_from_score(estimate.score);
    const double z = two_sided_z(confidence);
    const double lead = estimate.score - 0.5;
    const double deviation = std::sqrt(sample.variance());

    if (deviation == 0) {
        // All results are equal and say nothing of their spread: allow for the widest possible one. Whether
        // the leader is better follows from a flat prior on the chance of a win.
        constexpr double infinity = std::numeric_limits<double>::infinity();
        const Interval score = wilson_interval(estimate.score * sample.samples(), sample.samples(), confidence);
        estimate.elo_interval = {elo_from_score(score.low), elo_from_score(score.high)};
        estimate.normalized_elo = lead == 0 ? 0 : std::copysign(infinity, lead);
        estimate.normalized_interval = {-infinity, infinity};
        const double doubt = std::exp2(-sample.samples() - 1);
        estimate.superiority = lead == 0 ? 0.5 : lead > 0 ? 1 - doubt : doubt;
        return estimate;
    }

    const double error = deviation / std::sqrt(sample.samples());
    estimate.elo_interval = {elo_from_score(estimate.score - z * error), elo_from_score(estimate.score + z * error)};
    estimate.superiority = normal_cdf(lead / error);
    // The mean of n games deviates by sqrt(n) less than one game.
    const double game_deviation = deviation * std::sqrt(sample.games_per_sample());
    estimate.normalized_elo = lead / game_deviation * normalized_elo_scale;
    const double margin = z * normalized_elo_scale / std::sqrt(sample.samples() * sample.games_per_sample());
    estimate.normalized_interval = {estimate.normalized_elo - margin, estimate.normalized_elo + margin};
    return estimate;
}

}  // namespace tsumugi::report
