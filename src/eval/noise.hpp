// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "eval/evaluation.hpp"

namespace tsumugi::eval {

struct NoiseOptions {
    double sigma = 0;        // standard deviation, in units of score
    std::uint64_t seed = 0;  // one per player: other players err elsewhere
};

// Adds to every score a number drawn from N(0, sigma^2) that depends on the position and the seed only: a player who
// makes the same mistake whenever he meets the same position.
std::shared_ptr<const Evaluator> with_noise(std::shared_ptr<const Evaluator> inner, const NoiseOptions& options);

}  // namespace tsumugi::eval
