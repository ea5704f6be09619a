// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "book/minimax.hpp"
#include "book/tool/pipeline.hpp"

namespace tsumugi::book::tool {

struct MinimaxOptions {
    std::filesystem::path input;
    std::filesystem::path output;
    int draw_black = 0;  // what a draw is worth to Black when Black uses the book
    int draw_white = 0;  // and to White when White does
    int threads = 1;
    bool overwrite = false;
    bool non_promotions = false;  // add moves without promotion where they come to the same, with the same worth
    Output::Options writing;
};

struct MinimaxReport {
    std::uint64_t positions = 0;
    std::uint64_t moves = 0;             // legal ones
    std::uint64_t inner_moves = 0;       // that lead to positions of the book
    std::uint64_t illegal = 0;           // moves left out
    std::uint64_t best_changed = 0;      // positions that got another best move
    std::uint64_t silent = 0;            // positions of which no move is worth anything known
    std::vector<std::string> omissions;  // what the input holds and could not be read, in sentences
    Minimax::Summary summary;
    std::size_t bytes = 0;  // for graph, index and values
};

// Backs values up over the whole book: a move into the book is worth what the position it leads to is worth to the
// opponent, and its depth is that of the leaf and the moves to it. Moves out of the book keep their value, and so do
// moves to positions that say nothing: where no move has a value of its own or leads to one. Moves of which nothing is
// known come last and count for nothing. Among moves of the best value, those that do not lead the shortest way to a
// gain (or the longest to a loss) are written one centipawn lower, so that a player does not walk in circles. `stage`
// is told what is being done, `advance` how far it is.
base::Result<MinimaxReport> minimax(const MinimaxOptions& options, const std::function<void(const std::string&)>& stage,
                                    const Advance& advance);

}  // namespace tsumugi::book::tool
