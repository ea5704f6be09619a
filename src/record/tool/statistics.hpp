// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "record/game.hpp"

namespace tsumugi::record::tool {

struct PlayerCount {
    std::size_t games = 0;
    std::size_t wins = 0;
    std::size_t losses = 0;
};

// What a collection of games amounts to.
struct GameStatistics {
    std::size_t files = 0;
    std::size_t malformed = 0;
    std::size_t games = 0;
    std::size_t moves = 0;
    std::size_t shortest = 0;
    std::size_t longest = 0;
    std::size_t black_wins = 0;
    std::size_t white_wins = 0;
    std::size_t undecided = 0;                   // drawn, interrupted, or without an ending
    std::map<std::string, std::size_t> endings;  // by CSA name; "none" where a record just stops
    std::map<std::string, PlayerCount> players;

    void add(const Game& game);
    [[nodiscard]] double average_length() const;
    [[nodiscard]] std::string json() const;
    [[nodiscard]] std::string text() const;
};

base::Result<GameStatistics> gather(const std::vector<std::string>& inputs,
                                    const std::function<void(std::size_t)>& advance);

}  // namespace tsumugi::record::tool
