// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <thread>

#include "arena/contestant.hpp"

namespace tsumugi::arena {

// What any kind of player has in common at the board: asking, timing, and thinking on the opponent's time.
class PlayerContestant : public Contestant {
public:
    ~PlayerContestant() override;

    Reply ask(const shogi::Position& position, const think::Limits& limits, std::stop_token stop) override;
    void start_pondering(const shogi::Position& position, const think::Limits& limits) override;
    Reply ponder_hit(const std::optional<think::ClockState>& clock, std::stop_token stop) override;
    void ponder_miss() override;
    void game_over(think::GameResult result) override;

protected:
    // Nothing while it is not running.
    virtual think::Player* player() = 0;
    // Adds what only the kind of player knows: a failure, or more about its thoughts.
    virtual void complete(Reply& reply) const = 0;
    // Ends the pondering, if any. Derived classes call it before they go, while the player is still there.
    void end_pondering();

private:
    // Keeps the last of the best lines.
    class Recorder : public think::Observer {
    public:
        void on_line(const think::Line& line) override {
            if (line.rank == 1) last = line;
        }
        void on_text(const std::string&) override {}
        std::optional<think::Line> last;
    };

    Reply to_reply(const think::Answer& answer, const std::optional<think::Line>& thought,
                   base::Clock::time_point asked) const;

    std::shared_ptr<think::PonderSignal> signal_;
    think::Answer pondered_;
    Recorder recorder_;
    std::stop_source stop_pondering_;
    std::jthread ponderer_;
};

}  // namespace tsumugi::arena
