// SPDX-License-Identifier: GPL-3.0-or-later
// Prints leaves of perft and nodes of searches from some positions. Compiled once for each instruction set: all must
// print the same.
#include <cstdio>

#include "base/random.hpp"
#include "eval/material.hpp"
#include "search/searcher.hpp"
#include "shogi/movegen.hpp"
#include "shogi/perft.hpp"

namespace {

using namespace tsumugi;

constexpr int positions = 12;
constexpr int plies_between = 6;
constexpr int perft_depth = 3;
constexpr int search_depth = 7;

void print_counts(shogi::Position& position, search::Searcher& searcher) {
    think::Limits limits;
    limits.depth = search_depth;
    think::SilentObserver silence;
    searcher.clear();
    const search::Outcome outcome = searcher.search(position, limits, silence, {});
    std::printf("leaves %llu nodes %llu move %u value %d\n",
                static_cast<unsigned long long>(shogi::perft(position, perft_depth)),
                static_cast<unsigned long long>(outcome.nodes), unsigned{outcome.best.bits()}, outcome.score.value);
}

}  // namespace

int main() {
    search::Settings settings;
    settings.table.kibibytes = 4 * 1024;
    search::Searcher searcher;
    searcher.configure(settings);
    searcher.set_evaluator(eval::material_evaluator());
    base::Random random(1);
    shogi::Position position = shogi::Position::even();
    for (int i = 0; i < positions; ++i) {
        print_counts(position, searcher);
        for (int ply = 0; ply < plies_between; ++ply) {
            shogi::MoveList moves;
            shogi::legal_moves(position, moves);
            if (moves.empty()) return 0;
            position.do_move(moves[random.below(moves.size())]);
        }
    }
}
