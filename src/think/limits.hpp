// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/clock.hpp"
#include "shogi/color.hpp"
#include "shogi/move.hpp"

namespace tsumugi::think {

using Milliseconds = std::chrono::milliseconds;

// What a clock says when it is a player's turn. A game has byoyomi or an increment, not both.
struct ClockState {
    std::array<Milliseconds, 2> remaining{};  // by colour
    std::array<Milliseconds, 2> increment{};
    Milliseconds byoyomi{};

    [[nodiscard]] Milliseconds left(shogi::Color c) const { return remaining[shogi::index(c)]; }
    [[nodiscard]] Milliseconds gained(shogi::Color c) const { return increment[shogi::index(c)]; }

    bool operator==(const ClockState&) const = default;
};

// Tells a player that is pondering that the opponent played the expected move. Unlike a call on the player it cannot
// come too early: a player that has not begun yet finds the signal given when it does.
class PonderSignal {
public:
    // From any thread, once. The clock, when there is one, replaces the clock of the limits.
    void hit(const std::optional<ClockState>& clock) {
        {
            const std::lock_guard lock(mutex_);
            clock_ = clock;
            when_ = base::Clock::now();
        }
        hit_.request_stop();
    }

    [[nodiscard]] bool is_hit() const { return hit_.stop_requested(); }
    // A std::stop_callback on this token runs when the hit comes, or at once when it has come.
    [[nodiscard]] std::stop_token token() const { return hit_.get_token(); }
    [[nodiscard]] std::optional<ClockState> clock() const {
        const std::lock_guard lock(mutex_);
        return clock_;
    }
    // When our clock started to run. Only after the hit.
    [[nodiscard]] base::Clock::time_point when() const {
        const std::lock_guard lock(mutex_);
        return when_;
    }

private:
    mutable std::mutex mutex_;
    std::optional<ClockState> clock_;
    base::Clock::time_point when_;
    std::stop_source hit_;
};

// How long and how far to think. Absent limits do not bind; with none at all, thinking goes on until stopped.
struct Limits {
    std::optional<ClockState> clock;
    std::optional<Milliseconds> move_time;
    std::optional<std::uint64_t> nodes;
    std::optional<std::uint64_t> soft_nodes;  // begin no further depth after so many
    std::optional<int> depth;
    std::optional<Milliseconds> mate;     // look for a forced mate only, this long
    bool infinite = false;                // answer only when told to stop, even if everything is known
    bool ponder = false;                  // like infinite, until the ponder signal comes
    std::vector<shogi::Move> root_moves;  // consider only these (all when empty)
    // When the clock started to run, where that was before thinking begins.
    std::optional<base::Clock::time_point> start;
    std::shared_ptr<PonderSignal> ponder_signal;  // set when `ponder` is
};

}  // namespace tsumugi::think
