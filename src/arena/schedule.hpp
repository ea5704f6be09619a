// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace tsumugi::arena {

enum class Tournament {
    round_robin,  // everybody against everybody
    gauntlet,     // the first against each of the others
};

// Which game has which players and which opening: a pure function of the game's number, so that an interrupted match
// needs to remember only the numbers that were played. Games 2k and 2k+1 are a pair. All pairings play the first
// opening, then all the second, so that a match that is stopped early is fair to everybody.
class Schedule {
public:
    struct Game {
        std::array<std::size_t, 2> engine{};  // by colour
        std::uint64_t opening = 0;
        std::uint64_t pair = 0;
    };

    // `games` are those of each pairing, rounded up to whole pairs.
    Schedule(std::size_t engines, Tournament kind, std::uint64_t games);

    [[nodiscard]] std::uint64_t games() const { return pairs_each_ * pairings_.size() * 2; }
    [[nodiscard]] Game game(std::uint64_t number) const;
    [[nodiscard]] const std::vector<std::pair<std::size_t, std::size_t>>& pairings() const { return pairings_; }

private:
    std::vector<std::pair<std::size_t, std::size_t>> pairings_;
    std::uint64_t pairs_each_;
};

}  // namespace tsumugi::arena
