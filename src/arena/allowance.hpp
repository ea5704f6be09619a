// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "think/limits.hpp"

namespace tsumugi::arena {

using think::Milliseconds;

// How much one player may think in every game of a match. Several bounds may be combined.
struct Allowance {
    std::optional<std::uint64_t> nodes;
    std::optional<int> depth;
    std::optional<Milliseconds> move_time;
    std::optional<Milliseconds> time;       // for the whole game
    std::optional<Milliseconds> increment;  // added before every move
    std::optional<Milliseconds> byoyomi;    // for every move once the time is used up

    [[nodiscard]] bool has_clock() const { return time || increment || byoyomi; }
    [[nodiscard]] bool is_empty() const { return !nodes && !depth && !move_time && !has_clock(); }

    // Sets one bound by its name: nodes, depth, movetime, time, inc, byoyomi. False when it is none of these.
    base::Result<bool> set(std::string_view name, std::string_view value);
    // "nodes=20000", "time=10000ms inc=100ms": set() understands it again.
    [[nodiscard]] std::string describe() const;
};

// "1500" and "1500ms", "1.5s", "2m".
base::Result<Milliseconds> parse_duration(std::string_view text);

// The clocks of one game. Increments are granted before the move, as shogi programs expect, so what the players are
// told excludes the one they may already use.
class GameClock {
public:
    explicit GameClock(const std::array<Allowance, 2>& allowances);

    // What to tell the player of this colour when it is his turn.
    [[nodiscard]] think::Limits limits(shogi::Color side) const;
    // The longest that he may think about this move; nothing when only nodes or depth bind him.
    [[nodiscard]] std::optional<Milliseconds> allowed(shogi::Color side) const;
    // Takes the time spent on a move off the clock. A clock never falls below zero.
    void charge(shogi::Color side, Milliseconds spent);
    [[nodiscard]] think::ClockState state(shogi::Color side) const;

private:
    std::array<Allowance, 2> allowances_;
    std::array<Milliseconds, 2> remaining_{};
};

}  // namespace tsumugi::arena
