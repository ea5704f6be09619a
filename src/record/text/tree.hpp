// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "record/bod.hpp"
#include "record/ending.hpp"
#include "record/game.hpp"
#include "record/notation.hpp"
#include "record/text/line.hpp"

namespace tsumugi::record::text {

// What KIF and KI2 have in common: headers, diagram, comments, variations and the closing line, and a game that
// grows along the line being read.
class TreeReader {
public:
    // Takes the line if it belongs to the common part; false if it must be a line of moves (or a mistake).
    base::Result<bool> read(const Line& line);

    // The next move or ending on the current line. The cursor is where a complaint should point.
    base::Result<void> add_move(const Cursor& cursor, const WrittenMove& written, Node notes);
    base::Result<void> add_ending(const Cursor& cursor, Ending ending, Node notes);

    // The colour of the first move where the text shows it (▲ △): it decides who starts when nothing else does.
    void suggest_first_mover(shogi::Color color) { first_mover_ = color; }
    // The number printed at a move, from which 変化：N手 counts; only the first one matters.
    void note_move_number(int number);
    // The position before the next move; settles the start if that was still open.
    base::Result<const shogi::Setup*> position(const Cursor& cursor);

    // The finished game. A start that has a customary name always carries it as the header 手合割.
    base::Result<Game> finish() &&;

private:
    base::Result<void> settle_start(const Cursor& cursor);
    base::Result<void> begin_variation(Cursor& cursor);
    base::Result<void> read_closing(const Cursor& cursor);
    void read_comment(std::string_view comment);
    base::Result<bool> read_header(const Line& line);
    void append(Node node, const shogi::Setup& position);

    [[nodiscard]] std::size_t current() const { return path_.back(); }
    [[nodiscard]] std::optional<shogi::Square> previous_destination() const;

    Game game_;
    DiagramReader diagram_;
    bool start_settled_ = false;
    std::optional<shogi::Color> first_mover_;
    std::optional<int> first_number_;
    // Nodes from the root to the last one read, and the position at each.
    std::vector<std::size_t> path_{Game::root()};
    std::vector<shogi::Setup> positions_;
    std::vector<bool> commented_{false};  // by node: has it a comment, be it an empty line?
    std::size_t last_line_ = 1;
};

// A main line or variation: the node it starts with, followed by first children.
struct Variation {
    std::vector<std::size_t> nodes;
    std::size_t first_ply = 1;              // moves from the start, the first of `nodes` included
    shogi::Setup position;                  // before the first of `nodes`
    std::optional<shogi::Square> previous;  // destination of the move before
};

// The main line and then the variations in the order in which KIF and KI2 list them: those of the last move
// first, each with its own variations right behind it.
std::vector<Variation> variations(const Game& game);

// Headers and diagram, with the names the players go by in this game.
std::string head_lines(const Game& game);
PlayerNames player_names(const Game& game);
// The lines `*…` and `&…` of a node.
std::string note_lines(const Node& node);

}  // namespace tsumugi::record::text
