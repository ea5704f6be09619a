// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "base/result.hpp"
#include "eval/nnue/parameter.hpp"
#include "learn/train/loss.hpp"
#include "learn/train/sample.hpp"

namespace tsumugi::learn {

// How well a net does on positions it has not seen.
struct Validation {
    double loss = 0;
    double accuracy = 0;  // share of decided games whose winner it names; equal is half a hit
};

// Asks the evaluation that plays, with the rounded numbers of the file: what is measured is what will be used.
base::Result<Validation> validate(const eval::nnue::Parameters& net, std::span<const Sample> samples, double lambda,
                                  const LossSettings& loss, int threads);

}  // namespace tsumugi::learn
