// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

#include "arena/adjudication.hpp"
#include "arena/allowance.hpp"
#include "arena/referee.hpp"

namespace tsumugi::arena {

// What holds for all games of a match.
struct PlaySettings {
    Rules rules;
    AdjudicationSettings adjudication;
    // How much later than the clock says an answer may come, because the way through pipes and a busy machine costs
    // time that is not the player's.
    Milliseconds time_margin{50};
    // How long a player bound by nodes or depth only may take for a move before he counts as hanging.
    Milliseconds longest_think = std::chrono::minutes(5);
    // How long a program may take to answer `stop` before it is killed.
    Milliseconds stop_patience = std::chrono::seconds(2);
};

}  // namespace tsumugi::arena
