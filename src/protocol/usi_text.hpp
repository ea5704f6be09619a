// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "shogi/position.hpp"
#include "think/player.hpp"

// The sentences of USI, in both directions: what the server reads the client writes, and the other way round.
namespace tsumugi::protocol {

// "startpos moves 7g7f …" or "sfen … moves …", the words after `position`. Errors name the move that is not possible.
base::Result<shogi::Position> parse_position(std::string_view text);
// The whole command with the position's history, so that the reader knows about repetitions.
std::string to_position_command(const shogi::Position& position);

// What `go` asks for.
struct GoRequest {
    think::Limits limits;
    std::optional<int> perft;           // count the leaves of this depth instead of thinking
    std::vector<std::string> warnings;  // words that were not understood
};
// The words after `go`. Never fails: a player whose clock runs must move, whatever the words.
GoRequest parse_go(std::string_view words, const shogi::Position& position);
std::string to_go_command(const think::Limits& limits);

// The times after `go` and `ponderhit`; nothing when there are none.
std::optional<think::ClockState> parse_clock(std::string_view words);
std::string to_text(const think::ClockState& clock);

// "cp 35", "cp 120 lowerbound", "mate -4".
std::string to_text(const think::Score& score);
// "info depth 5 … pv 7g7f", pv last. Moves are written as far as they are legal.
std::string to_info_line(const think::Line& line, const shogi::Position& root);
// What an `info` line says about a line of thought; nothing when it has no score and no moves.
std::optional<think::Line> parse_info(std::string_view words, const shogi::Position& root);

// "bestmove 7g7f ponder 3c3d", "bestmove resign", "bestmove win". Illegal moves are never written.
std::string to_bestmove_line(const think::Answer& answer, const shogi::Position& root);
// "checkmate G*5b …", "checkmate nomate", "checkmate timeout", "checkmate notimplemented".
std::string to_checkmate_line(const think::MateAnswer& answer);
// The words after `bestmove`.
base::Result<think::Answer> parse_bestmove(std::string_view words, const shogi::Position& root);

// "option name X type spin default 1 min 1 max 8".
std::string to_option_line(const think::Option& option);
// The words after `option`. Names and defaults may hold spaces.
base::Result<think::Option> parse_option(std::string_view words);

// The name and the value of "name X value Y"; either may hold spaces.
base::Result<std::pair<std::string, std::string>> parse_setoption(std::string_view words);

// Text from outside made safe to repeat in a message: short, and without control characters.
std::string quote(std::string_view text);

}  // namespace tsumugi::protocol
