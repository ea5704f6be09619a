// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "base/clock.hpp"
#include "think/time_policy.hpp"

namespace tsumugi::ensemble {

// The time for a decision. All three moments are absent when nothing but a stop ends the thinking.
struct TimeFrame {
    using Moment = base::Clock::time_point;

    std::optional<Moment> due;    // when the players are asked to answer; absent also when nodes or depth bind them
    std::optional<Moment> nudge;  // when those are told to stop who have not answered
    std::optional<Moment> end;    // when the decision falls with the answers there are

    // The frame of a round that begins now and may take a part of what is left.
    [[nodiscard]] TimeFrame part(Moment now, double share) const;
};

// How long the players may take to answer a stop from outside; then their last lines count.
constexpr think::Milliseconds answer_patience{100};
// With less time than this nobody is asked any more.
constexpr think::Milliseconds shortest_round{20};

// What the group knows about time besides the clock.
struct TimeRules {
    think::TimeSettings settings;
    int max_moves = 0;
    bool ponder_enabled = false;
    think::Milliseconds longest_think{};
};

// `clock` is the one that counts now (a ponder hit may bring its own), `begin` when it started to run.
TimeFrame time_frame(const think::Limits& limits, const std::optional<think::ClockState>& clock, shogi::Color us,
                     int ply, const TimeRules& rules, base::Clock::time_point begin);

}  // namespace tsumugi::ensemble
