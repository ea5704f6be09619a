// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "eval/evaluation.hpp"
#include "learn/bookmaking/outlook.hpp"
#include "learn/bookmaking/workspace.hpp"
#include "search/searcher.hpp"

namespace tsumugi::learn::bookmaking {

// How a position is thought about.
struct Effort {
    std::uint64_t nodes = 1'000'000;  // no further depth is begun after so many
    std::optional<int> depth;         // or at this depth
    int lines = 3;
    int table_mib = 64;
};

// A score as books write it.
int book_value(const think::Score& score);

// Searches positions for a book; remembers nothing of one for the next.
class Analyst {
public:
    Analyst(std::shared_ptr<const eval::Evaluator> evaluator, const Effort& effort);

    // The best lines of a position, as moves of a book. With `root_moves` only these are considered. Nothing when
    // stopped.
    std::vector<book::StoredMove> think(const shogi::Position& position, const std::vector<shogi::Move>& root_moves,
                                        const std::stop_token& stop);

private:
    Effort effort_;
    search::Searcher searcher_;
};

// Moves that the analysis did not name but that lead to positions of the workspace: without them a line that rejoins
// another would not profit from what is known there.
std::vector<book::StoredMove> rejoining_moves(const Workspace& workspace, const shogi::Position& position,
                                              const std::vector<book::StoredMove>& known);

struct ThinkSettings {
    LeafRule rule;  // its user is set for each side in turn when `both`
    bool both = true;
    int draw_black = 0;  // what a draw is worth to Black when Black uses the book
    int draw_white = 0;  // and to White when White does
    Effort effort;
    bool rejoin = true;
    std::size_t positions = 100;  // to be analysed in this run
    int workers = 1;
};

struct ThinkReport {
    std::size_t positions = 0;
    std::size_t moves = 0;
    std::size_t rejoining = 0;
};

// The positions to think about next, the likeliest first: for the user, or for either side as the user in turn.
std::vector<shogi::Position> next_leaves(const Workspace& workspace, const ThinkSettings& settings, std::size_t count);

// Stores what was found in a position, with the moves from there that rejoin the book. Tells how many those are.
base::Result<std::size_t> store_analysis(Workspace& workspace, const ThinkSettings& settings,
                                         const shogi::Position& position, const std::vector<book::StoredMove>& found);

// Analyses the leaves of the workspace, round after round, each round looking at what the one before brought.
// `advance` is called after every position. Ends early when there are no leaves left, or when stopped.
base::Result<ThinkReport> think_on(Workspace& workspace, const ThinkSettings& settings,
                                   const std::shared_ptr<const eval::Evaluator>& evaluator,
                                   const std::function<void()>& advance, const std::stop_token& stop);

// Begins a round of duels and thinking, or goes on with it: tells how many of its positions are still to be thought
// about.
base::Result<std::size_t> positions_left(Workspace& workspace, std::uint64_t round, std::size_t positions);

}  // namespace tsumugi::learn::bookmaking
