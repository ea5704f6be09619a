// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "think/limits.hpp"

namespace tsumugi::think {

// What the user says about time, by the names of the USI options.
struct TimeSettings {
    Milliseconds network_delay{120};      // lost on the way even on good days
    Milliseconds network_delay_worst{1120};  // lost on bad days: kept in reserve when the clock would run out
    Milliseconds minimum{2000};           // a move is never made faster than this unless it is forced
    int slow_mover = 100;                 // percent of the usual share of the time
    bool round_up_to_second = true;       // the clock counts whole seconds, so a started one is used up
};

// How long to think about one move.
struct TimeBudget {
    Milliseconds minimum{};
    Milliseconds optimum{};  // aim for this
    Milliseconds maximum{};  // never longer than this, from the moment the clock started
};

// `ply` counts moves of the game so far; `max_moves` is the move number after which the game is a draw (0: no limit).
TimeBudget time_budget(const ClockState& clock, shogi::Color us, int ply, int max_moves, bool pondering_enabled,
                       const TimeSettings& settings);

// The moment to answer when thinking could stop after `elapsed`: where the clock counts whole seconds, the end of the
// second that has begun, less the delay of the network, but not beyond the budget's maximum.
Milliseconds rounded_end(Milliseconds elapsed, const TimeBudget& budget, const TimeSettings& settings);

}  // namespace tsumugi::think
