// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.hpp"
#include "eval/nnue/parameter.hpp"

namespace tsumugi::learn {

// The same net over a larger feature set, where one contains the other: rows are copied to every place at which the
// larger set tells apart what the smaller one did not. Training can go on from there without losing anything.
//   K-P     to HalfKA1, HalfKA2, HalfKA_hm1, HalfKA_hm2
//   HalfKP  to HalfKPKfile, HalfKPKrank, HalfKPE9
// Every position keeps its value. Only sets that mirror the board (hm) look at a player's side mirrored when his king
// stands on files 6 to 9, so that a net which values mirrored positions differently keeps the value of one of them.
base::Result<eval::nnue::Parameters> widened(const eval::nnue::Parameters& net, eval::nnue::Feature feature);

}  // namespace tsumugi::learn
