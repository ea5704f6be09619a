// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/spsa.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/random.hpp"

namespace tsumugi::arena {
namespace {

// To one of the two neighbours, the nearer one more often: steps below one still have an effect on average.
int round_by_chance(double value, base::Random& random) {
    const double low = std::floor(value);
    return static_cast<int>(low) + (random.chance(value - low) ? 1 : 0);
}

}  // namespace

base::Result<void> TuneParameter::check() const {
    using base::Error;
    if (!(minimum < maximum && minimum <= start && start <= maximum))
        return Error{Error::Code::range,
                     fmt::format("parameter '{}': {} is not within {} to {}", name, start, minimum, maximum)};
    if (!(step > 0) || !(rate > 0))
        return Error{Error::Code::range, fmt::format("parameter '{}': step and rate must be positive", name)};
    return {};
}

Spsa::Spsa(SpsaSettings settings) : settings_(std::move(settings)) {
    for (const TuneParameter& parameter : settings_.parameters)
        values_.push_back(parameter.start);
}

double Spsa::step(const TuneParameter& parameter, std::uint64_t iteration) const {
    const double share = static_cast<double>(iteration + 1) / static_cast<double>(settings_.iterations);
    return parameter.step * std::pow(share, -settings_.step_exponent);
}

double Spsa::rate(const TuneParameter& parameter, std::uint64_t iteration) const {
    const auto all = static_cast<double>(settings_.iterations);
    const double held_back = settings_.settling * all;
    const double share = (held_back + static_cast<double>(iteration + 1)) / (held_back + all);
    // Spall's gain a_k, which is in units of the square of a step.
    return parameter.rate * parameter.step * parameter.step * std::pow(share, -settings_.rate_exponent);
}

Spsa::Trial Spsa::trial(std::uint64_t iteration) const {
    base::Random random(base::SplitMix64(settings_.seed)() + iteration);
    Trial trial;
    trial.iteration = iteration;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const TuneParameter& parameter = settings_.parameters[i];
        const int direction = random.chance(0.5) ? 1 : -1;
        const double move = direction * step(parameter, iteration);
        const auto within = [&](double value) { return std::clamp(value, parameter.minimum, parameter.maximum); };
        trial.direction.push_back(direction);
        trial.plus.push_back(round_by_chance(within(values_[i] + move), random));
        trial.minus.push_back(round_by_chance(within(values_[i] - move), random));
    }
    return trial;
}

void Spsa::learn(const Trial& trial, double points) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const TuneParameter& parameter = settings_.parameters[i];
        const double gain = rate(parameter, trial.iteration) / step(parameter, trial.iteration);
        values_[i] = std::clamp(values_[i] + gain * points * trial.direction[i], parameter.minimum, parameter.maximum);
    }
}

}  // namespace tsumugi::arena
