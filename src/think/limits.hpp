// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "shogi/color.hpp"
#include "shogi/move.hpp"

namespace tsumugi::think {

using Milliseconds = std::chrono::milliseconds;

// What a clock says when it is a player's turn. A game has byoyomi or an increment, not both.
struct ClockState {
    std::array<Milliseconds, 2> remaining{};  // by colour
    std::array<Milliseconds, 2> increment{};
    Milliseconds byoyomi{};

    [[nodiscard]] Milliseconds left(shogi::Color c) const { return remaining[shogi::index(c)]; }
    [[nodiscard]] Milliseconds gained(shogi::Color c) const { return increment[shogi::index(c)]; }
};

// How long and how far to think. Absent limits do not bind; with none at all, thinking goes on until stopped.
struct Limits {
    std::optional<ClockState> clock;
    std::optional<Milliseconds> move_time;
    std::optional<std::uint64_t> nodes;
    std::optional<int> depth;
    std::optional<Milliseconds> mate;  // look for a forced mate only, this long
    bool infinite = false;             // answer only when told to stop, even if everything is known
    bool ponder = false;               // like infinite, until ponder_hit
    std::vector<shogi::Move> root_moves;  // consider only these (all when empty)
};

}  // namespace tsumugi::think
