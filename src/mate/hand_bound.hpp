// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/position.hpp"

// Which hands a result is good for. A mate stays a mate when the attacker holds more and the defender correspondingly
// less, and a failure stays one when the attacker holds less, so each settled position is remembered with the smallest
// (largest) attacker's hand for which the argument holds. All hands here are the attacker's.
namespace tsumugi::mate {

// Every kind as many times as the one of the two that has more (less) of it.
shogi::Hand larger_of_each(shogi::Hand a, shogi::Hand b);
shogi::Hand smaller_of_each(shogi::Hand a, shogi::Hand b);
// Everything the two players hold together.
shogi::Hand sum_of(shogi::Hand a, shogi::Hand b);

// The attacker's hand after his own move.
shogi::Hand hand_after(const shogi::Board& before, shogi::Move move, shogi::Hand hand);
// The hand before his move that becomes `after` by it: the bound on a hand carried back over the move.
shogi::Hand hand_before(const shogi::Board& before, shogi::Move move, shogi::Hand after);

// What the attacker must hold lest the defender, in check along a line, have a kind to interpose that he lacks now:
// with a gap between king and checker, all that the attacker has of the kinds which the defender has none of.
shogi::Hand withheld_from_defender(const shogi::Position& defender_to_move);
// How much the attacker may hold without having a kind to drop that he lacks now.
shogi::Hand without_new_kinds(const shogi::Position& attacker_to_move);

}  // namespace tsumugi::mate
