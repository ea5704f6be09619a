// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "record/game.hpp"

namespace tsumugi::record {

// What a line of KIF says in place of a move: 投了, 中断, … A foul of a named side is 反則負け or 反則勝ち depending on
// whose turn it is.
std::string_view ending_word(Ending ending, shogi::Color to_move);
// The inverse, which also knows other words in use for the same thing.
std::optional<Ending> find_ending(std::string_view word);

// Who won. Nobody when a game was drawn, broken off, or its ending does not say: a repetition with perpetual check does
// not tell which side gave check.
std::optional<shogi::Color> winner_of(Ending ending, shogi::Color to_move);

// How the players are called: 先手 and 後手, or 下手 and 上手 in handicap games.
struct PlayerNames {
    std::string_view black = "先手";
    std::string_view white = "後手";

    [[nodiscard]] std::string_view of(shogi::Color color) const { return color == shogi::Color::black ? black : white; }
};
constexpr PlayerNames handicap_player_names{"下手", "上手"};

// The closing line of KIF and KI2: まで77手で先手の勝ち.
std::string closing_line(Ending ending, std::size_t moves, shogi::Color to_move, const PlayerNames& names);
// What such a line says about the end of the game; nothing if it says something else. A plain win of the player
// whose turn it is can only have been declared.
std::optional<Ending> read_closing_line(std::string_view line, shogi::Color to_move);

}  // namespace tsumugi::record
