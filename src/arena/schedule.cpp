// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/schedule.hpp"

#include <cassert>

namespace tsumugi::arena {

Schedule::Schedule(std::size_t engines, Tournament kind, std::uint64_t games) : pairs_each_((games + 1) / 2) {
    assert(engines >= 2);
    const std::size_t leaders = kind == Tournament::gauntlet ? 1 : engines;
    for (std::size_t first = 0; first < leaders; ++first)
        for (std::size_t second = first + 1; second < engines; ++second)
            pairings_.emplace_back(first, second);
}

Schedule::Game Schedule::game(std::uint64_t number) const {
    Game game;
    game.pair = number / 2;
    game.opening = game.pair / pairings_.size();
    const auto& [first, second] = pairings_[game.pair % pairings_.size()];
    game.engine = number % 2 == 0 ? std::array{first, second} : std::array{second, first};
    return game;
}

}  // namespace tsumugi::arena
