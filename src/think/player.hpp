// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "shogi/position.hpp"
#include "think/limits.hpp"
#include "think/option.hpp"

namespace tsumugi::think {

// A verdict on a position, for the side to move.
struct Score {
    enum class Kind { centipawns, mate };
    enum class Bound { exact, lower, upper };

    Kind kind = Kind::centipawns;
    int value = 0;  // centipawns, or plies to mate: positive when the side to move mates, negative when it is mated
    Bound bound = Bound::exact;

    bool operator==(const Score&) const = default;
};

// One line of thought, as shown to the user.
struct Line {
    int depth = 0;
    int selective_depth = 0;
    int rank = 1;  // 1 for the best line, 2 for the second when several are asked for
    Score score;
    std::optional<double> win_rate;  // what the score promises, from 0 to 1, if the player says it
    std::uint64_t nodes = 0;
    Milliseconds time{};
    int table_permille = 0;
    std::vector<shogi::Move> moves;
};

// Told what a player thinks while it thinks. Calls come from the thinking thread.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void on_line(const Line& line) = 0;
    virtual void on_text(const std::string& text) = 0;
};

// For those who want nothing but the answer.
class SilentObserver final : public Observer {
public:
    void on_line(const Line& /*line*/) override {}
    void on_text(const std::string& /*text*/) override {}
};

// What a player decided.
struct Answer {
    enum class Kind { move, resign, declare_win };

    Kind kind = Kind::resign;
    shogi::Move move;    // when kind is move
    shogi::Move ponder;  // the reply it expects, or none
    Score score;
};

// What a player found when asked for a forced mate.
struct MateAnswer {
    enum class Kind {
        mate,         // with its moves
        none,         // shown that there is none
        unknown,      // time ran out
        unsupported,  // this player does not look for mates
    };

    Kind kind = Kind::unsupported;
    std::vector<shogi::Move> moves;
};

enum class GameResult { win, loss, draw };

// Whoever can be asked for a move: our engine, a group of players, or a program behind a pipe.
class Player {
public:
    virtual ~Player() = default;

    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual std::string author() const = 0;
    // May be changed while the player is not thinking.
    virtual OptionSet& options() = 0;

    // Loads what is needed to play (nets, books, tables). May take long; may be repeated after options changed.
    virtual base::Result<void> prepare() = 0;
    virtual void new_game() = 0;
    // Decides on a move; returns soon after a stop is requested. Always answers legally. While limits.ponder holds, the
    // position is the one after the expected reply, and limits.ponder_signal says when the opponent has played it.
    virtual Answer think(const shogi::Position& position, const Limits& limits, Observer& observer,
                         std::stop_token stop) = 0;
    // Does the side to move mate by checks alone? Looks for as long as limits.mate says.
    virtual MateAnswer find_mate(const shogi::Position& /*position*/, const Limits& /*limits*/, Observer& /*observer*/,
                                 std::stop_token /*stop*/) {
        return {};
    }
    virtual void game_over(GameResult result) = 0;
};

}  // namespace tsumugi::think
