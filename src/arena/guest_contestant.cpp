// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/guest_contestant.hpp"

#include <utility>

namespace tsumugi::arena {

using base::Error;
using base::Result;

Result<void> GuestContestant::new_game(const OptionValues& values) {
    if (!values.empty()) return Error{Error::Code::unsupported, "a guest of the match has no values to try"};
    if (!player_) {
        auto made = guest_.make(rules_);
        if (!made) return made.error();
        player_ = *std::move(made);
    }
    if (const auto ready = player_->prepare(); !ready) return ready;
    player_->new_game();
    return {};
}

}  // namespace tsumugi::arena
