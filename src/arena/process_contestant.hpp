// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "arena/player_contestant.hpp"
#include "protocol/usi_client.hpp"

namespace tsumugi::arena {

// A USI program as a player.
class ProcessContestant : public PlayerContestant {
public:
    ProcessContestant(const EngineSpec& spec, const PlaySettings& settings) : spec_(spec), settings_(settings) {}
    ~ProcessContestant() override { end_pondering(); }

    // The values are USI options.
    base::Result<void> new_game(const OptionValues& values) override;

protected:
    think::Player* player() override { return client_.get(); }
    void complete(Reply& reply) const override;

private:
    base::Result<void> start();
    base::Result<void> set_options();

    EngineSpec spec_;
    PlaySettings settings_;
    std::unique_ptr<protocol::UsiClient> client_;  // absent until the first game
};

}  // namespace tsumugi::arena
