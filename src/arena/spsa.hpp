// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace tsumugi::arena {

// A whole number to be tuned. `step` is how far it is moved from its value in trials at the end of the tuning, `rate`
// how fast it follows the results then, in steps per point won (of two).
struct TuneParameter {
    std::string name;
    double start = 0;
    double minimum = 0;
    double maximum = 0;
    double step = 1;
    double rate = 0.02;

    [[nodiscard]] base::Result<void> check() const;
};

struct SpsaSettings {
    std::vector<TuneParameter> parameters;
    std::uint64_t iterations = 10'000;
    std::uint64_t seed = 1;
    // How steps and rates shrink (J. Spall's usual exponents), and the share of the iterations during which rates
    // are held back at first.
    double rate_exponent = 0.602;
    double step_exponent = 0.101;
    double settling = 0.1;
};

// Simultaneous perturbation stochastic approximation (J. Spall): all numbers are moved at once, each up or down by
// chance; the two opposite moves play each other, and everything goes a little towards the winner.
class Spsa {
public:
    struct Trial {
        std::uint64_t iteration = 0;
        std::vector<int> direction;  // +1 or -1 for each parameter
        std::vector<int> plus;       // values of the player moved in that direction
        std::vector<int> minus;
    };

    explicit Spsa(SpsaSettings settings);

    // Around the present values. Direction and rounding depend on the seed and the iteration only.
    [[nodiscard]] Trial trial(std::uint64_t iteration) const;
    // `points` of the plus side minus those of the minus side: -2 to 2 for a pair of games. Results may come in any
    // order.
    void learn(const Trial& trial, double points);

    [[nodiscard]] const std::vector<double>& values() const { return values_; }
    void set_values(std::vector<double> values) { values_ = std::move(values); }
    [[nodiscard]] const SpsaSettings& settings() const { return settings_; }

private:
    [[nodiscard]] double step(const TuneParameter& parameter, std::uint64_t iteration) const;
    [[nodiscard]] double rate(const TuneParameter& parameter, std::uint64_t iteration) const;

    SpsaSettings settings_;
    std::vector<double> values_;
};

}  // namespace tsumugi::arena
