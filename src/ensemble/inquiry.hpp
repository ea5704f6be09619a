// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "shogi/position.hpp"
#include "think/player.hpp"

namespace tsumugi::ensemble {

// Wakes whoever waits for the players. What happened is seen from the inquiries, not from the bell.
class Bell {
public:
    void ring() {
        {
            const std::lock_guard lock(mutex_);
            rung_ = true;
        }
        changed_.notify_all();
    }
    // Until the next ring, or one that came since the last wait.
    void wait_until(base::Clock::time_point when) {
        std::unique_lock lock(mutex_);
        changed_.wait_until(lock, when, [this] { return rung_; });
        rung_ = false;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool rung_ = false;
};

// A question on its way to a player and back. Shared by the one who asks and the player's thread, because the one who
// asks may give it up at any moment.
class Inquiry {
public:
    // `limits` are those of the request, without its times. The player is told to answer by `due`, or, when it ponders,
    // that it will have `allotted` from the hit on.
    Inquiry(shogi::Position position, think::Limits limits, std::shared_ptr<Bell> bell)
        : position_(std::move(position)), limits_(std::move(limits)), bell_(std::move(bell)) {}

    void set_due(base::Clock::time_point due) { due_ = due; }
    void set_allotted(think::Milliseconds allotted) { allotted_ = allotted; }

    // For the player's thread.
    [[nodiscard]] const shogi::Position& position() const { return position_; }
    // The limits as they are at this moment; nothing when it is too late to begin.
    [[nodiscard]] std::optional<think::Limits> limits() const;
    [[nodiscard]] std::stop_token stop_token() const { return stop_.get_token(); }
    void note(const think::Line& line);
    // Only the first of these counts.
    void finish(const think::Answer& answer);
    void fail(std::string trouble);

    // For the one who asks.
    void stop() { stop_.request_stop(); }
    // While the player ponders: the opponent has played the expected move.
    void hit(const std::optional<think::Milliseconds>& allotted);

    struct State {
        bool finished = false;
        std::string trouble;                // why there is no answer; empty when there is one
        think::Answer answer;               // when finished without trouble
        std::optional<think::Line> line;    // the best line so far
        std::size_t lines = 0;              // how many best lines there were
        std::vector<think::Line> others;    // the second-best line and so on, from a player that shows several
        base::Clock::time_point when = {};  // it finished
    };
    [[nodiscard]] State state() const;
    [[nodiscard]] bool is_finished() const;

private:
    const shogi::Position position_;
    const think::Limits limits_;
    const std::shared_ptr<Bell> bell_;
    std::optional<base::Clock::time_point> due_;
    std::optional<think::Milliseconds> allotted_;
    std::stop_source stop_;
    mutable std::mutex mutex_;
    State state_;
};

// A clock that says no more than how long to think about this one move. Every USI engine knows byoyomi, while a time
// for the move alone (movetime) is not always understood.
think::ClockState clock_for_one_move(think::Milliseconds time);

}  // namespace tsumugi::ensemble
