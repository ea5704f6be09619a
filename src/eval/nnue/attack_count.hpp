// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "shogi/board.hpp"
#include "shogi/setup.hpp"

namespace tsumugi::eval::nnue {

// How many pieces of a side attack each square, kings included. Attacks end at the first piece they meet.
using AttackCounts = std::array<std::array<std::uint8_t, shogi::Square::count>, 2>;

AttackCounts count_attacks(const shogi::Board& board);
AttackCounts count_attacks(const shogi::Setup& setup);

// How a square is attacked as a player sees it: by himself not, once or more often, and the same by the other. Nine
// classes, below FeatureSet::attack_classes.
inline std::uint8_t attack_class(const AttackCounts& counts, shogi::Color viewer, std::size_t square) {
    const auto clipped = [&](shogi::Color c) { return std::min<unsigned>(counts[index(c)][square], 2); };
    return static_cast<std::uint8_t>(clipped(viewer) * 3 + clipped(~viewer));
}

}  // namespace tsumugi::eval::nnue
