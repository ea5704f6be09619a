// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "shogi/movegen.hpp"
#include "think/player.hpp"

namespace tsumugi::test {

// Plays the first legal move: at once, or when it may no longer ponder or think. Remembers what it was asked.
class PatientPlayer : public think::Player {
public:
    PatientPlayer() {
        options_.add_spin("Threads", 1, 1, 8, "");
        options_.add_string("EvalDir", "eval", "");
        options_.add_button(
            "Clear_Hash", [this] { note("clear"); }, "");
    }

    [[nodiscard]] std::string name() const override { return "Patient"; }
    [[nodiscard]] std::string author() const override { return "tests"; }
    think::OptionSet& options() override { return options_; }

    base::Result<void> prepare() override {
        note("prepare");
        std::this_thread::sleep_for(loading_time);
        if (!loading_error.empty()) return base::Error{base::Error::Code::io, loading_error};
        return {};
    }
    void new_game() override { note("new game"); }
    void game_over(think::GameResult) override { note("game over"); }

    think::Answer think(const shogi::Position& position, const think::Limits& limits, think::Observer& observer,
                        std::stop_token stop) override {
        if (++thinking_ > 1) note("two searches at once");
        think::Line line;
        line.depth = 3;
        line.moves = {shogi::Move::from_bits(7)};  // illegal: it must not be shown
        observer.on_line(line);
        wait(limits, stop);
        last_limits = limits;
        if (limits.ponder) hit_clock = limits.ponder_signal->clock();
        --thinking_;
        if (throws) throw std::runtime_error("out of ideas");
        think::Answer answer;
        shogi::MoveList moves;
        shogi::legal_moves(position, moves);
        if (moves.empty()) return answer;
        answer.kind = think::Answer::Kind::move;
        answer.move = moves[0];
        return answer;
    }

    // What happened, in order.
    std::vector<std::string> notes() {
        const std::lock_guard lock(mutex_);
        return notes_;
    }

    // Read these only after the server has ended.
    think::Limits last_limits;
    std::optional<think::ClockState> hit_clock;
    std::chrono::milliseconds loading_time{0};
    std::string loading_error;
    bool throws = false;

private:
    void note(std::string what) {
        const std::lock_guard lock(mutex_);
        notes_.push_back(std::move(what));
    }

    // Without a limit until the stop, while pondering until the hit, with a limit not at all.
    void wait(const think::Limits& limits, const std::stop_token& stop) {
        const bool endless = limits.infinite || !(limits.clock || limits.nodes || limits.depth || limits.move_time);
        std::unique_lock lock(mutex_);
        std::condition_variable_any wake;
        if (limits.ponder) {
            const auto hit = limits.ponder_signal->token();
            while (!stop.stop_requested() && !hit.stop_requested())
                wake.wait_for(lock, stop, std::chrono::milliseconds(1), [] { return false; });
        } else if (endless) {
            wake.wait(lock, stop, [] { return false; });
        }
    }

    think::OptionSet options_;
    std::mutex mutex_;
    std::vector<std::string> notes_;
    std::atomic<int> thinking_ = 0;
};

}  // namespace tsumugi::test
