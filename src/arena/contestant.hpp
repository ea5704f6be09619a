// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "arena/engine_spec.hpp"
#include "arena/play_settings.hpp"
#include "arena/verdict.hpp"
#include "base/clock.hpp"
#include "think/player.hpp"

namespace tsumugi::arena {

// What came of asking a player for a move.
struct Reply {
    enum class Kind { move, resign, declare_win, failure };

    Kind kind = Kind::failure;
    shogi::Move move;                    // as answered, legal or not
    shogi::Move ponder;                  // the reply he expects, or none
    Reason failure = Reason::crash;      // when kind is failure
    std::string text;                    // of a failure: what happened
    std::optional<think::Line> thought;  // the last line he showed, if any
    base::Clock::duration time{};        // from the question to the answer
};

// A player at the board of the referee, who trusts him with nothing.
class Contestant {
public:
    virtual ~Contestant() = default;

    // Gets ready for a game, starting the program anew if it is not running or failed. The values come on
    // top of those of the description: USI options, or for our own engine numbers of the search.
    virtual base::Result<void> new_game(const OptionValues& values) = 0;

    // An answer that comes too late is still fetched, so that the player can go on, unless he does not stop when told
    // to.
    virtual Reply ask(const shogi::Position& position, const think::Limits& limits, std::stop_token stop) = 0;

    // Lets him think about the position after the reply he expects. Ended by ponder_hit() or ponder_miss().
    virtual void start_pondering(const shogi::Position& position, const think::Limits& limits) = 0;
    // The expected reply was played: from now on it is like ask().
    virtual Reply ponder_hit(const std::optional<think::ClockState>& clock, std::stop_token stop) = 0;
    virtual void ponder_miss() = 0;

    virtual void game_over(think::GameResult result) = 0;
};

// The rules are told to players that have options for them (MaxMovesToDraw, EnteringKingRule), unless the description
// sets these itself.
std::unique_ptr<Contestant> make_contestant(const EngineSpec& spec, const PlaySettings& settings);

}  // namespace tsumugi::arena
