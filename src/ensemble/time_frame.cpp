// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/time_frame.hpp"

#include <algorithm>

namespace tsumugi::ensemble {
namespace {

using think::Milliseconds;

// What is kept of the time for players that answer late: half of it until they are told to stop, half until they are
// given up.
constexpr Milliseconds usual_tail{400};
// For a player bound by nodes or depth that did not answer: from the stop until it is given up.
constexpr Milliseconds last_patience{1000};

}  // namespace

TimeFrame TimeFrame::part(Moment now, double share) const {
    if (!due || share >= 1) return *this;
    const auto left = std::max(*due - now, base::Clock::duration::zero());
    const auto saved = left - std::chrono::duration_cast<base::Clock::duration>(left * share);
    return {*due - saved, *nudge - saved, *end - saved};
}

TimeFrame time_frame(const think::Limits& limits, const std::optional<think::ClockState>& clock, shogi::Color us,
                     int ply, const TimeRules& rules, base::Clock::time_point begin) {
    TimeFrame frame;
    if (limits.infinite) return frame;
    std::optional<think::TimeBudget> budget;
    if (clock) budget = think::time_budget(*clock, us, ply, rules.max_moves, rules.ponder_enabled, rules.settings);
    if (limits.move_time) {
        // The way to a clock is no matter here, only the machine's own delays.
        think::TimeSettings near;
        near.network_delay = near.network_delay_worst = Milliseconds{0};
        const Milliseconds usable = *limits.move_time - think::time_reserve(*limits.move_time, near);
        if (!budget || usable < budget->maximum) budget = think::TimeBudget{usable, usable, usable};
    }
    if (budget) {
        const Milliseconds tail = std::min(usual_tail, budget->maximum / 4);
        const Milliseconds aim = think::rounded_end(budget->optimum, *budget, rules.settings);
        frame.due = begin + std::min(aim, budget->maximum - tail);
        frame.nudge = *frame.due + tail / 2;
        frame.end = *frame.due + tail;
    } else if (limits.nodes || limits.soft_nodes || limits.depth) {
        frame.nudge = begin + rules.longest_think;
        frame.end = *frame.nudge + last_patience;
    }
    return frame;
}

}  // namespace tsumugi::ensemble
