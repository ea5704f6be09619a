// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "book/minimax.hpp"
#include "learn/bookmaking/workspace.hpp"
#include "shogi/position.hpp"

namespace tsumugi::learn::bookmaking {

// What the moves of a workspace are worth when both sides play on as well as the workspace knows. Holds for the
// workspace as it was.
class Outlook {
public:
    // `draw_for_black` is what a repetition is worth to Black.
    Outlook(const Workspace& workspace, int draw_for_black);
    Outlook(const Outlook&) = delete;
    Outlook& operator=(const Outlook&) = delete;

    struct Choice {
        shogi::Move move;
        int value = 0;  // for the side to move
    };
    // The legal moves of a position whose worth is known, the best first; empty for a position that the workspace does
    // not have.
    [[nodiscard]] std::vector<Choice> choices(const shogi::Position& position) const;
    // Was it thought about?
    [[nodiscard]] bool is_analysed(const shogi::Position& position) const;

private:
    struct Known {
        book::Graph::Node node = 0;
        std::vector<shogi::Move> moves;  // in the order of the node's edges
        bool analysed = false;
    };

    // Makes the graph, in which positions known to be silent are left out. Tells which have a move with a value of its
    // own.
    std::vector<bool> connect(const std::vector<const book::Entry*>& entries, const std::vector<bool>& silent);

    std::unordered_map<std::string, Known> known_;
    book::Graph graph_;
    std::optional<book::Minimax> minimax_;  // once the graph is complete
};

// Which positions are worth thinking about next: those that play for or against a user of the book is likely to reach,
// just outside the workspace or only known from games.
struct LeafRule {
    std::vector<shogi::Setup> roots = {shogi::Setup::even()};
    shogi::Color user = shogi::Color::black;
    int own_margin = 0;         // the user plays moves so much worse than his best, and no others
    int opponent_margin = 100;  // his opponent moves so much worse than what the root promises him
    int plies = 62;             // no position beyond this move number
};

// The likeliest first: those at the end of the smallest sum of concessions, then the nearest.
std::vector<shogi::Position> find_leaves(const Outlook& outlook, const LeafRule& rule, std::size_t count);

}  // namespace tsumugi::learn::bookmaking
