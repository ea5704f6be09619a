// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/random.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::test {

// Calls visit(Position&) for every position of `games` random games of at most `plies` moves. The same seed gives the
// same games.
template <typename Visit>
void play_random_games(int games, int plies, std::uint64_t seed, Visit&& visit) {
    base::Random random(seed);
    for (int game = 0; game < games; ++game) {
        shogi::Position position = shogi::Position::even();
        for (int ply = 0; ply < plies; ++ply) {
            visit(position);
            shogi::MoveList moves;
            shogi::legal_moves(position, moves);
            if (moves.empty()) break;
            position.do_move(moves[random.below(moves.size())]);
        }
    }
}

}  // namespace tsumugi::test
