// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "arena/contestant.hpp"
#include "arena/usi_process.hpp"

namespace tsumugi::arena {

// A USI program as a player.
class ProcessContestant : public Contestant {
public:
    ProcessContestant(const EngineSpec& spec, const Rules& rules) : spec_(spec), rules_(rules) {}

    base::Result<void> new_game(const OptionValues& options) override;
    Reply ask(const shogi::Position& position, const think::Limits& limits, Milliseconds patience,
              std::stop_token stop) override;
    void start_pondering(const shogi::Position& position, const think::Limits& limits) override;
    Reply ponder_hit(const std::optional<think::ClockState>& clock, Milliseconds patience,
                     std::stop_token stop) override;
    void ponder_miss() override;
    void game_over(think::GameResult result) override;

private:
    base::Result<void> start();
    base::Result<void> set_options();
    Reply wait_for_answer(base::Clock::time_point asked, Milliseconds patience, const std::stop_token& stop);
    [[nodiscard]] Reply understand(std::string_view answer, Reply reply) const;
    Reply fail(Reply reply, Reason reason, std::string text);

    EngineSpec spec_;
    Rules rules_;
    std::unique_ptr<UsiProcess> process_;  // absent before the first game and after a failure
    std::string last_failure_;
    shogi::Position position_ = shogi::Position::even();  // the one it thinks about
    std::string last_info_;
};

}  // namespace tsumugi::arena
