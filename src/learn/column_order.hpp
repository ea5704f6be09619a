// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "base/result.hpp"
#include "eval/nnue/parameter.hpp"
#include "shogi/setup.hpp"

namespace tsumugi::learn {

struct OrderedColumns {
    eval::nnue::Parameters net;
    // Share of the chunks of four columns that the kernels cannot pass over, in the positions given.
    double busy_before = 0;
    double busy_after = 0;
};

// The same classic net with the columns of its feature transformer in another order: those that are zero together in
// these positions stand together, since kernels pass over four zeros at a time. Every position keeps its value, and
// the parts of a net that falls apart (eval::nnue::falls_into) stay apart.
base::Result<OrderedColumns> with_ordered_columns(const eval::nnue::Parameters& net,
                                                  std::span<const shogi::Setup> positions);

}  // namespace tsumugi::learn
