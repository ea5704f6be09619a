// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "think/limits.hpp"

namespace tsumugi::think {

// What the user says about time, by the names of the USI options.
struct TimeSettings {
    Milliseconds network_delay{120};         // lost on the way even on good days
    Milliseconds network_delay_worst{1120};  // lost on bad days: kept in reserve when the clock would run out
    Milliseconds minimum{2000};              // a move is never made faster than this unless it is forced
    int slow_mover = 100;                    // percent of the usual share of the time
    bool round_up_to_second = true;          // the clock counts whole seconds, so a started one is used up
};

// How long to think about one move.
struct TimeBudget {
    Milliseconds minimum{};
    Milliseconds optimum{};  // aim for this
    Milliseconds maximum{};  // never longer than this, from the moment the clock started
    // The move runs into byoyomi, and what is not used of that is gone: only a move that needs no thought comes early,
    // however long was pondered before.
    bool unused_is_lost = false;

    bool operator==(const TimeBudget&) const = default;
};

// After how long the clock would call the loss, whichever of two customs it follows. With byoyomi that is what is left
// and the byoyomi. An increment is granted before the move by most shogi programs (what is left excludes it), but some
// state the time with the increment already in it: only the larger of the two is safe to spend.
Milliseconds time_allowed(const ClockState& clock, shogi::Color us);

// What to hold back of so much time for the way to the clock and for a busy machine: the worst delay in the settings,
// or a little for the machine alone, but never more than half, so that fast games can be played with settings for slow
// ones.
Milliseconds time_reserve(Milliseconds allowed, const TimeSettings& settings);

// `ply` counts moves of the game so far; `max_moves` is the move number after which the game is a draw (0: no limit).
TimeBudget time_budget(const ClockState& clock, shogi::Color us, int ply, int max_moves, bool pondering_enabled,
                       const TimeSettings& settings);

// The moment to answer when thinking could stop after `elapsed`: where the clock counts whole seconds, the end of the
// second that has begun, less the delay of the network, but not beyond the budget's maximum.
Milliseconds rounded_end(Milliseconds elapsed, const TimeBudget& budget, const TimeSettings& settings);

}  // namespace tsumugi::think
