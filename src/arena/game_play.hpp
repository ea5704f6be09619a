// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <stop_token>
#include <vector>

#include "arena/contestant.hpp"
#include "arena/opening.hpp"
#include "arena/play_settings.hpp"

namespace tsumugi::arena {

using Microseconds = std::chrono::microseconds;

// A move of a game and what its player thought.
struct PlayedMove {
    shogi::Move move;
    std::optional<think::Score> score;  // for the mover
    int depth = 0;
    std::uint64_t nodes = 0;
    Microseconds time{};

    bool operator==(const PlayedMove&) const = default;
};

struct PlayedGame {
    Opening opening;
    std::vector<PlayedMove> moves;  // after the opening
    Verdict verdict;

    [[nodiscard]] shogi::Color to_move_at_end() const;
};

struct Seat {
    Contestant& player;
    const Allowance& allowance;
    bool ponder = false;
};

// Plays one game; seats are by colour. Both players must be ready for it. A requested stop ends it as interrupted.
PlayedGame play_game(const Opening& opening, const std::array<Seat, 2>& seats, const PlaySettings& settings,
                     std::stop_token stop);

}  // namespace tsumugi::arena
