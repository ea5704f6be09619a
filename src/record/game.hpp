// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shogi/move.hpp"
#include "shogi/setup.hpp"

namespace tsumugi::record {

// Why a line of play stops. The player meant is the one to move unless the name says otherwise.
enum class Ending {
    resign,            // 投了, %TORYO
    interrupted,       // 中断, %CHUDAN
    repetition,        // 千日手, %SENNICHITE
    perpetual_check,   // 連続王手の千日手, %OUTE_SENNICHITE
    declaration_win,   // 入玉勝ち, %KACHI
    impasse,           // 持将棋, %JISHOGI
    draw,              // 引き分け, %HIKIWAKE
    max_moves,         // 最大手数, %MAX_MOVES
    time_up,           // 切れ負け, %TIME_UP
    illegal_move,      // 反則負け (by the player to move), %ILLEGAL_MOVE
    illegal_by_black,  // %+ILLEGAL_ACTION
    illegal_by_white,  // %-ILLEGAL_ACTION
    opponent_illegal,  // 反則勝ち: the move before was illegal
    mate,              // 詰み, %TSUMI
    no_mate,           // 不詰, %FUZUMI
    default_win,       // 不戦勝
    default_loss,      // 不戦敗
    takeback,          // 待った, %MATTA
    sealed,            // 封じ手, %FUJITE
    error,             // %ERROR
};

// One step of a game: the move that leads here, and what was noted about it.
struct Node {
    shogi::Move move;                                // none at the root and where `ending` is set
    std::optional<Ending> ending;                    // a leaf that says why the line stops
    std::string ending_text;                         // the source's own words when they say more than `ending` can
    std::string comment;                             // lines joined by '\n', without the format's comment marks
    std::string bookmark;                            // a name to jump to, where the format has such (KIF '&')
    std::optional<std::chrono::milliseconds> time;   // spent on this move
    std::optional<std::chrono::milliseconds> total;  // spent so far by the mover, where the format states it
    std::vector<std::size_t> children;               // the main line first
    std::size_t parent = 0;
};

// A game record: where it starts, who played, and a tree of moves. Moves are stored as they were written
// down, legal or not: records of illegal moves are records too.
class Game {
public:
    shogi::Setup start = shogi::Setup::even();
    // Name/value pairs in the order of the source. Names are those of KIF (先手, 後手, 棋戦, 開始日時, …); other
    // formats map theirs onto these where the meaning is the same.
    std::vector<std::pair<std::string, std::string>> headers;

    Game() : nodes_(1) {}

    [[nodiscard]] static constexpr std::size_t root() { return 0; }
    [[nodiscard]] const Node& node(std::size_t i) const { return nodes_[i]; }
    [[nodiscard]] Node& node(std::size_t i) { return nodes_[i]; }
    [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }

    // Appends a child and returns its number; the first child of a node continues the main line.
    std::size_t add(std::size_t parent, Node node);

    // Node numbers of the main line, the root left out.
    [[nodiscard]] std::vector<std::size_t> main_line() const;
    // Moves of the main line up to its end or ending.
    [[nodiscard]] std::vector<shogi::Move> main_moves() const;
    [[nodiscard]] std::optional<Ending> main_ending() const;

    [[nodiscard]] const std::string* header(std::string_view name) const;
    void set_header(std::string_view name, std::string value);

    // The same start, headers and tree; the order in which nodes were added does not count.
    bool operator==(const Game& other) const;

private:
    std::vector<Node> nodes_;
};

// Plays a move on a bare setup without asking whether it is legal: the piece goes where it is told, a captured
// piece changes hands, the turn passes. Where a record asks for the impossible, as little as possible happens: an
// empty origin leaves the destination empty, a drop needs no piece in hand, a captured king goes nowhere.
void apply(shogi::Setup& setup, shogi::Move move);

}  // namespace tsumugi::record
