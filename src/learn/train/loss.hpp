// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

namespace tsumugi::learn {

// An output of 1 is a score of so many centipawns. With 16 units of output per centipawn (FV_SCALE) this is the
// scale of the nets in use, so that other engines read ours right without being told.
constexpr double score_per_output = 600;

// Scores and results meet as probabilities of winning.
struct LossSettings {
    double score_scale = 600;  // centipawns for which the odds are e to 1
    bool cross_entropy = false;
    double power = 2.5;  // of the absolute error, without cross-entropy
};

inline double win_probability(double score, double scale) { return 1 / (1 + std::exp(-score / scale)); }

// What a net should answer: the score's word against the result's, 1, 0 or -1.
inline double target_probability(double score, int result, double lambda, double scale) {
    return lambda * win_probability(score, scale) + (1 - lambda) * 0.5 * (result + 1);
}

struct LossPoint {
    double value;
    double slope;  // by the output
};

inline LossPoint loss_at(double output, double target, const LossSettings& settings) {
    const double stretch = score_per_output / settings.score_scale;
    const double p = win_probability(output * score_per_output, settings.score_scale);
    const double error = p - target;
    if (settings.cross_entropy) {
        // log(1 + exp(-|x|)) and what is missing from it never overflow. The entropy of the target, which no net can
        // go below, is taken off: a perfect net has loss 0.
        const double x = output * stretch;
        const double fit = std::log1p(std::exp(-std::abs(x))) + std::max(x, 0.0) - target * x;
        const auto part = [](double q) { return q > 0 ? q * std::log(q) : 0.0; };
        return {fit + part(target) + part(1 - target), error * stretch};
    }
    const double size = std::abs(error);
    const double steep = std::pow(size, settings.power - 1);
    return {steep * size, settings.power * steep * (error < 0 ? -1 : 1) * p * (1 - p) * stretch};
}

}  // namespace tsumugi::learn
