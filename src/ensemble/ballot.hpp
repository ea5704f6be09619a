// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "shogi/move.hpp"

namespace tsumugi::ensemble {

// The move that one player would play.
struct Ballot {
    std::size_t player = 0;  // its place in the list of players
    shogi::Move move;
    double win_rate = 0.5;  // of the side to move, as this player sees it
    double weight = 1;
};

// What a player thinks of a move that another one would play.
struct Opinion {
    std::size_t player = 0;
    shogi::Move move;
    double win_rate = 0.5;
};

// What is known when a rule is asked for its decision.
struct Poll {
    std::size_t players = 0;  // how many there are, whether they voted or not; the first one leads
    int move_number = 1;      // of the move to decide on, counted from the beginning of the game
    std::vector<Ballot> ballots = {};
    std::vector<Opinion> opinions = {};
};

}  // namespace tsumugi::ensemble
