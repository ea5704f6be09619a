// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "record/game.hpp"
#include "shogi/color.hpp"

namespace tsumugi::arena {

// Why a game ended.
enum class Reason {
    checkmate,
    resignation,
    declaration,
    wrong_declaration,
    try_rule,
    repetition,
    perpetual_check,
    max_moves,
    illegal_move,
    time,
    crash,    // the program ended, or its connection broke
    hang,     // it did not answer, not even to `stop`
    garbage,  // what it answered is no move at all
    adjudicated_resign,
    adjudicated_draw,
    adjudicated_mate,
    interrupted,  // by us: the game does not count
};

// "checkmate", "wrong-declaration", …: what files and tables say.
std::string_view name(Reason reason);
base::Result<Reason> find_reason(std::string_view name);

// The program failed, rather than its play.
bool is_failure(Reason reason);

// How a game ended and why.
struct Verdict {
    std::optional<shogi::Color> winner;  // nobody: a draw, or interrupted
    Reason reason = Reason::interrupted;
    std::string detail;  // e.g. the illegal move

    // Half points of one side: 0, 1 or 2.
    [[nodiscard]] int half_points(shogi::Color side) const { return !winner ? 1 : *winner == side ? 2 : 0; }
};

// The word of game records for it, given who was to move at the end.
record::Ending to_ending(const Verdict& verdict, shogi::Color to_move);

}  // namespace tsumugi::arena
