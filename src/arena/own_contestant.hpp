// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "arena/player_contestant.hpp"
#include "engine/engine.hpp"

namespace tsumugi::arena {

// Our own engine playing inside this process: no pipes and no other process to wait for.
class OwnContestant : public PlayerContestant {
public:
    OwnContestant(const EngineSpec& spec, const Rules& rules) : spec_(spec), rules_(rules) {}
    ~OwnContestant() override { end_pondering(); }

    base::Result<void> new_game(const OptionValues& options) override;

protected:
    think::Player* player() override { return &engine_; }
    void complete(Reply& reply) const override;

private:
    base::Result<void> set_options(const OptionValues& options);

    EngineSpec spec_;
    Rules rules_;
    engine::Engine engine_;
    bool configured_ = false;
};

}  // namespace tsumugi::arena
