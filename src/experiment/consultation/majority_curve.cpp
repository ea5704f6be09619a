// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/consultation/majority_curve.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tsumugi::experiment::consultation {
namespace {

constexpr int steps = 100;

double ways(int n, int k) { return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)); }

}  // namespace

double majority_rate(double p, int players) {
    double rate = 0;
    for (int right = 0; right <= players; ++right) {
        const double share = ways(players, right) * std::pow(p, right) * std::pow(1 - p, players - right);
        if (2 * right > players) rate += share;
        if (2 * right == players) rate += share / 2;
    }
    return rate;
}

report::Chart majority_curve() {
    report::Chart chart;
    chart.title = "What a majority adds to players who are right with probability p";
    chart.x_label = "p";
    chart.y_label = "F(p) - p";
    for (const int players : {3, 7, 15}) {
        report::Series series{fmt::format("{} or {} players", players, players + 1), {}};
        for (int i = 0; i <= steps; ++i) {
            const double p = static_cast<double>(i) / steps;
            series.points.push_back({p, majority_rate(p, players) - p});
        }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

}  // namespace tsumugi::experiment::consultation
