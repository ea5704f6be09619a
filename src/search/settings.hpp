// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "search/parameter.hpp"
#include "search/quiescence_policy.hpp"
#include "search/table.hpp"
#include "shogi/declaration.hpp"
#include "think/player.hpp"
#include "think/time_policy.hpp"

namespace tsumugi::search {

// What a user can choose about a search.
struct Settings {
    int threads = 1;
    TableSettings table;
    int multi_pv = 1;
    int draw_value_black = -2;  // what a draw is worth to the side that is thinking, when it is Black
    int draw_value_white = -2;
    int max_moves_to_draw = 0;  // the game is a draw after this move number; 0 for never
    bool generate_all_moves = false;
    shogi::EnteringKingRule entering_king = shogi::EnteringKingRule::points27;
    think::Milliseconds pv_interval{300};  // at most one line of thought in this time
    bool output_fail_bounds = true;        // show lines that only bound the score
    think::TimeSettings time;
    bool ponder_enabled = false;
    QuiescencePolicy quiescence = QuiescencePolicy::standard;
    Parameters parameters;
};

// What a search came to.
struct Outcome {
    shogi::Move best;
    shogi::Move ponder;
    think::Score score;
    std::vector<think::Line> lines;  // best first
    std::uint64_t nodes = 0;
    int depth = 0;
};

}  // namespace tsumugi::search
