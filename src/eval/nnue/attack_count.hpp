// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "shogi/board.hpp"

namespace tsumugi::eval::nnue {

// How many pieces of a side attack each square, kings included. Attacks end at the first piece they meet.
using AttackCounts = std::array<std::array<std::uint8_t, shogi::Square::count>, 2>;

AttackCounts count_attacks(const shogi::Board& board);

}  // namespace tsumugi::eval::nnue
