// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bitset>
#include <span>

#include "base/result.hpp"
#include "eval/nnue/parameter.hpp"

namespace tsumugi::learn {

// The same net over a larger feature set, where one contains the other: rows are copied to every place at which the
// larger set tells apart what the smaller one did not. Training can go on from there without losing anything.
//   K-P     to K-P_hm, HalfKA1, HalfKA2, HalfKA_hm1, HalfKA_hm2
//   HalfKP  to HalfKPKfile, HalfKPKrank, HalfKPE9
// Every position keeps its value. Only sets that mirror the board (hm) look at a player's side mirrored when his king
// stands on files 6 to 9, so that a net which values mirrored positions differently keeps the value of one of them.
base::Result<eval::nnue::Parameters> widened(const eval::nnue::Parameters& net, eval::nnue::Feature feature);

// The mean of nets of one architecture, number by number, rounded to the nearest. Makes sense between nets that descend
// from one another: only there does the same neuron mean the same.
base::Result<eval::nnue::Parameters> averaged(std::span<const eval::nnue::Parameters* const> nets,
                                              std::span<const double> weights);

// The net that values every position as this one values its mirror image. Sets that mirror the board themselves, and
// those with more than the own king's place in their blocks, are not supported.
base::Result<eval::nnue::Parameters> mirrored(const eval::nnue::Parameters& net);

// Classic nets side by side in one, whose value is the mean of theirs: as wide, and with as many hidden neurons, as all
// of them together. They need the same feature set only. Its last weights are rounded, so the mean is not exact.
base::Result<eval::nnue::Parameters> joined(std::span<const eval::nnue::Parameters* const> nets);

// Ranks 1 to 9 as the player sees them: his own camp is 7 to 9. Bit 0 is rank 1.
using Ranks = std::bitset<9>;
enum class King { own, other };

// Takes over from a donor of the same architecture the rows of the feature transformer for the player's own king, or
// his opponent's, on these ranks. Everything else stays. The other king's rank is known to HalfKPKrank only.
base::Result<void> transplant(eval::nnue::Parameters& net, const eval::nnue::Parameters& donor, King king, Ranks ranks);

}  // namespace tsumugi::learn
