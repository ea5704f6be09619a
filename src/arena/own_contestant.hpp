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

    // The values are numbers of the search, or options.
    base::Result<void> new_game(const OptionValues& values) override;

protected:
    think::Player* player() override { return &engine_; }
    void complete(Reply& reply) const override;

private:
    base::Result<void> set_options(const OptionValues& options);
    base::Result<void> set_parameters(const OptionValues& values);

    EngineSpec spec_;
    Rules rules_;
    engine::Engine engine_;
    bool configured_ = false;
};

// A number of the search by its name, in any case; nothing when there is none.
const search::Tunable* find_tunable(std::string_view name);

}  // namespace tsumugi::arena
