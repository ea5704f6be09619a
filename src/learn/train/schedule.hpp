// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace tsumugi::learn {

// How the learning rate and the weight of scores change over a run.
struct Schedule {
    double rate = 3e-3;
    double final_rate = 1e-5;
    double warm_up = 0.01;  // share of all steps
    double lambda = 0.7;
    double final_lambda = 0.7;
    double averaged = 0.2;  // share of all steps, the last ones, whose weights are averaged

    // Up in a straight line, then down along half a cosine.
    [[nodiscard]] double rate_at(std::uint64_t step, std::uint64_t steps) const {
        const double done = progress(step, steps);
        if (done < warm_up) return rate * std::max(done / warm_up, 0.5 / (warm_up * static_cast<double>(steps)));
        const double down = (done - warm_up) / (1 - warm_up);
        return final_rate + (rate - final_rate) * 0.5 * (1 + std::cos(std::numbers::pi * down));
    }
    [[nodiscard]] double lambda_at(std::uint64_t step, std::uint64_t steps) const {
        return lambda + (final_lambda - lambda) * progress(step, steps);
    }
    // Is the state after this step one of those averaged? A few hundred of them are as good as all.
    [[nodiscard]] bool averages(std::uint64_t step, std::uint64_t steps) const {
        const double first = static_cast<double>(steps) * (1 - averaged);
        const auto every = static_cast<std::uint64_t>(std::max(1.0, static_cast<double>(steps) * averaged / 200));
        return averaged > 0 && static_cast<double>(step) >= first && (steps - 1 - step) % every == 0;
    }

private:
    static double progress(std::uint64_t step, std::uint64_t steps) {
        return static_cast<double>(step) / static_cast<double>(std::max<std::uint64_t>(steps, 1));
    }
};

}  // namespace tsumugi::learn
