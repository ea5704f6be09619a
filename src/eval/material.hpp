// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "eval/evaluation.hpp"

namespace tsumugi::eval {

// The usual value of a piece; a king has none.
int material_value(shogi::Kind kind);

// Counts the pieces, on the board and in hand alike.
std::shared_ptr<const Evaluator> material_evaluator();

}  // namespace tsumugi::eval
