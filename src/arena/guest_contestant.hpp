// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "arena/guest.hpp"
#include "arena/player_contestant.hpp"

namespace tsumugi::arena {

// A guest at the board.
class GuestContestant : public PlayerContestant {
public:
    GuestContestant(const Guest& guest, const Rules& rules) : guest_(guest), rules_(rules) {}
    ~GuestContestant() override { end_pondering(); }

    // A guest has nothing that values could change.
    base::Result<void> new_game(const OptionValues& values) override;

protected:
    think::Player* player() override { return player_.get(); }
    void complete(Reply& /*reply*/) const override {}

private:
    Guest guest_;
    Rules rules_;
    std::unique_ptr<think::Player> player_;
};

}  // namespace tsumugi::arena
