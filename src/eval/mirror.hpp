// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "eval/evaluation.hpp"

namespace tsumugi::eval {

// Gives every position the mean of what `inner` says of it and of its mirror image. The two are worth the same, but a
// net that has no mirrored inputs does not know that: what it says of them differs by chance, and the mean errs less
// than either. It takes much longer than one answer: a teacher for nets, not a player.
std::shared_ptr<const Evaluator> with_mirror_image(std::shared_ptr<const Evaluator> inner);

}  // namespace tsumugi::eval
