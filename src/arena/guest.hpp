// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "arena/referee.hpp"
#include "base/result.hpp"
#include "think/player.hpp"

namespace tsumugi::arena {

// A player that whoever plans the match makes himself, inside this process: a group of players, for instance.
struct Guest {
    std::string description;  // of all that decides how it plays: the same description is the same player
    // Called once for every game at a time. The player learns the rules here and nowhere else.
    std::function<base::Result<std::unique_ptr<think::Player>>(const Rules& rules)> make;
};

}  // namespace tsumugi::arena
