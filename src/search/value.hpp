// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>

namespace tsumugi::search {

// Scores are for the side to move, in hundredths of a pawn (a pawn is worth about 90). Everything fits 16 bits.
using Value = int;

constexpr int max_ply = 200;
// The depth, in the table, of what was proved elsewhere: no search goes so deep.
constexpr int proven_depth = max_ply;

constexpr Value value_none = 32002;
constexpr Value value_infinite = 32001;
constexpr Value value_mate = 32000;
// A mate found by search is at least this far from being forgotten.
constexpr Value value_mate_in_max_ply = value_mate - max_ply;
// Returning to a board with more in hand than before: as good as won, worse than any mate.
constexpr Value value_superior = 28000;
// Evaluations are kept clear of what search itself can prove.
constexpr Value value_eval_limit = 27000;

constexpr Value mate_in(int ply) { return value_mate - ply; }
constexpr Value mated_in(int ply) { return -value_mate + ply; }
constexpr bool is_mate_score(Value v) { return std::abs(v) >= value_mate_in_max_ply; }
// Beyond what an evaluation can say: proved by mate or repetition.
constexpr bool is_decisive(Value v) { return std::abs(v) > value_eval_limit; }

// Mate scores count plies from the root; in the table they count from the stored position.
constexpr Value to_table(Value v, int ply) {
    return v >= value_mate_in_max_ply ? v + ply : v <= -value_mate_in_max_ply ? v - ply : v;
}
constexpr Value from_table(Value v, int ply) {
    if (v == value_none) return v;
    return v >= value_mate_in_max_ply ? v - ply : v <= -value_mate_in_max_ply ? v + ply : v;
}

}  // namespace tsumugi::search
