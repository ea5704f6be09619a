// SPDX-License-Identifier: GPL-3.0-or-later
#include "think/time_policy.hpp"

#include <algorithm>

namespace tsumugi::think {
namespace {

using Ms = Milliseconds;

// A clock beyond this is no clock; it keeps the arithmetic below far from overflow.
constexpr Ms longest = std::chrono::hours(24 * 365);
// Threads of a loaded machine wake late: beside two busy processes on two cores, one answer in 200 came 56 ms late.
constexpr Ms scheduling_slack{60};

Ms sane(Ms time) { return std::clamp(time, Ms{0}, longest); }

// How many more moves the time should last for. A game of shogi has about 115 plies; the later it is the fewer are
// left, but the end is never certain, so the count stays well above zero.
int moves_to_plan_for(int ply, int max_moves) {
    const int expected = std::clamp(50 - ply / 5, 20, 50);
    if (max_moves <= 0) return expected;
    const int allowed = (std::max(max_moves - ply, 0) + 1) / 2;
    return std::clamp(allowed, 1, expected);
}

}  // namespace

Ms time_allowed(const ClockState& clock, shogi::Color us) {
    const Ms left = sane(clock.left(us));
    if (clock.byoyomi > Ms{0}) return left + sane(clock.byoyomi);
    return std::max(left, sane(clock.gained(us)));
}

Ms time_reserve(Ms allowed, const TimeSettings& settings) {
    const Ms worst = std::max(settings.network_delay_worst, settings.network_delay);
    return std::min(std::max(worst, scheduling_slack), allowed / 2);
}

TimeBudget time_budget(const ClockState& clock, shogi::Color us, int ply, int max_moves, bool pondering_enabled,
                       const TimeSettings& settings) {
    const Ms allowed = time_allowed(clock, us);
    const Ms usable = allowed - time_reserve(allowed, settings);
    // What every move gets anyway, and the part of it that survives the way to the clock.
    const Ms granted = sane(clock.byoyomi > Ms{0} ? clock.byoyomi : clock.gained(us));
    const Ms free = granted - time_reserve(granted, settings);
    const Ms left = sane(clock.left(us));
    const Ms saved = left - time_reserve(left, settings);
    const Ms share = saved / moves_to_plan_for(ply, max_moves);

    TimeBudget budget;
    // Six shares: a difficult move may cost what six usual ones do, which near the end is 30 % of what is left.
    budget.maximum = std::min(usable, free + 6 * share);
    // A ponder hit now and then gives time back, so a little more may be spent.
    const Ms usual = pondering_enabled ? share * 5 / 4 : share;
    budget.optimum = std::min(budget.maximum, free + usual * settings.slow_mover / 100);
    budget.unused_is_lost = clock.byoyomi > Ms{0} && budget.optimum >= left;
    if (budget.unused_is_lost) budget.optimum = budget.maximum = usable;
    budget.minimum = std::min(budget.optimum, std::max(settings.minimum - settings.network_delay, Ms{0}));
    return budget;
}

Ms rounded_end(Ms elapsed, const TimeBudget& budget, const TimeSettings& settings) {
    Ms end = std::max(elapsed, budget.minimum);
    if (settings.round_up_to_second) {
        const Ms second{1000};
        const Ms arrival = end + settings.network_delay;
        end = (arrival + second - Ms{1}) / second * second - settings.network_delay;
    }
    return std::min(end, budget.maximum);
}

}  // namespace tsumugi::think
