// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "eval/evaluation.hpp"
#include "shogi/position.hpp"

namespace tsumugi::app {

// The static evaluation of a position and, for every piece, by how much it would change without that piece: positive
// numbers are good for the side to move. Kings have none, because no evaluation can do without them.
std::string evaluation_table(const eval::Evaluator& evaluator, const shogi::Position& position);

}  // namespace tsumugi::app
