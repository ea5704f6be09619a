// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/nnue/calibration.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tsumugi::eval::nnue {
namespace {

base::Error hopeless(std::string message) { return {base::Error::Code::range, std::move(message)}; }

double cross_entropy(double probability, double target) {
    const double safe = std::min(std::max(probability, 1e-12), 1 - 1e-12);
    return -(target * std::log(safe) + (1 - target) * std::log(1 - safe));
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

base::Result<ScoreFit> fit_scores(std::span<const Observation> observations) {
    if (observations.size() < 2) return hopeless("at least two positions with scores are needed");
    const auto n = static_cast<double>(observations.size());
    double mean_raw = 0;
    double mean_score = 0;
    for (const Observation& each : observations) {
        mean_raw += each.raw / n;
        mean_score += each.target / n;
    }
    double both = 0;
    double scores = 0;
    double raws = 0;
    for (const Observation& each : observations) {
        both += (each.raw - mean_raw) * (each.target - mean_score);
        scores += (each.target - mean_score) * (each.target - mean_score);
        raws += (each.raw - mean_raw) * (each.raw - mean_raw);
    }
    if (scores == 0 || raws == 0) return hopeless("all positions have the same score: nothing can be fitted");
    ScoreFit fit;
    fit.count = observations.size();
    fit.slope = both / scores;
    fit.offset = mean_raw - fit.slope * mean_score;
    fit.correlation = both / std::sqrt(scores * raws);
    return fit;
}

base::Result<ResultFit> fit_results(std::span<const Observation> observations) {
    if (observations.empty()) return hopeless("no position with a result");
    double n = 0;
    double spread = 0;
    double mean = 0;
    for (const Observation& each : observations) {
        n += each.weight;
        spread += each.weight * each.raw * each.raw;
        mean += each.weight * each.target;
    }
    spread /= n;
    mean /= n;
    if (spread == 0) return hopeless("all scores are 0: nothing can be fitted");
    const double unit = std::sqrt(spread);
    // Newton's method for the one parameter b = unit / scale; the loss is convex in it.
    double b = 0;
    for (int round = 0; round < 100; ++round) {
        double slope = 0;
        double curvature = 0;
        for (const Observation& each : observations) {
            const double x = each.raw / unit;
            const double p = sigmoid(b * x);
            slope += each.weight * (p - each.target) * x / n;
            curvature += each.weight * p * (1 - p) * x * x / n;
        }
        const double step = std::min(std::max(slope / std::max(curvature, 1e-9), -1.0), 1.0);
        b -= step;
        if (std::abs(step) < 1e-10) break;
    }
    if (b <= 0) return hopeless("the scores do not go with the results (the fit has the wrong sign)");
    if (b > 15) return hopeless("the scores separate wins and losses perfectly: more positions are needed");
    ResultFit fit;
    fit.count = static_cast<std::size_t>(n);
    fit.scale = unit / b;
    for (const Observation& each : observations) {
        fit.loss += each.weight * cross_entropy(sigmoid(each.raw / fit.scale), each.target) / n;
        fit.baseline += each.weight * cross_entropy(mean, each.target) / n;
    }
    return fit;
}

}  // namespace tsumugi::eval::nnue
