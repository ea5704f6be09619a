// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <thread>

#include "arena/contestant.hpp"
#include "engine/engine.hpp"

namespace tsumugi::arena {

// Our own engine playing inside this process: no pipes and no other process to wait for.
class OwnContestant : public Contestant {
public:
    OwnContestant(const EngineSpec& spec, const Rules& rules) : spec_(spec), rules_(rules) {}
    ~OwnContestant() override;

    base::Result<void> new_game(const OptionValues& options) override;
    Reply ask(const shogi::Position& position, const think::Limits& limits, Milliseconds patience,
              std::stop_token stop) override;
    void start_pondering(const shogi::Position& position, const think::Limits& limits) override;
    Reply ponder_hit(const std::optional<think::ClockState>& clock, Milliseconds patience,
                     std::stop_token stop) override;
    void ponder_miss() override;
    void game_over(think::GameResult result) override { engine_.game_over(result); }

private:
    base::Result<void> set_options(const OptionValues& options);
    [[nodiscard]] Reply reply(const think::Answer& answer, base::Clock::time_point asked) const;

    EngineSpec spec_;
    Rules rules_;
    engine::Engine engine_;
    bool configured_ = false;
    std::shared_ptr<think::PonderSignal> signal_;
    think::Answer pondered_;
    std::stop_source stop_pondering_;
    std::jthread ponderer_;
};

}  // namespace tsumugi::arena
