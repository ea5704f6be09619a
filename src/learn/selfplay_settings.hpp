// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "arena/opening.hpp"
#include "shogi/declaration.hpp"

namespace tsumugi::learn {

// Who remembers what while one engine plays both sides.
enum class TableSharing {
    shared,   // one table for both: each side finds what the other has just searched
    each,     // a table of its own for either side, like two engines
    cleared,  // nothing is kept from one move to the next
};

// How games are made different from each other.
struct OpeningRecipe {
    int fewest_random_plies = 7;  // uniformly random moves from the start
    int most_random_plies = 8;
    double late_random_share = 0.1;  // of the games have one random move between these plies
    int late_from = 10;
    int late_to = 30;
    int sampled_plies = 12;  // after the random moves: play one of the best moves, not always the best
    int sampled_lines = 3;
    int sampled_margin = 60;         // centipawns below the best
    int most_unbalanced = 600;       // a game that begins with a larger score is not played
    double entering_king_share = 0;  // of the games begin with kings in or near the opponent's camp
    std::string suite;               // openings of a file instead of the even game
    std::size_t suite_plies = 1000;  // of its games
};

// When games end before mate.
struct EndRecipe {
    int score = 2000;                // one side is ahead by this much
    int plies = 6;                   // for so many moves in a row
    double played_out_share = 0.05;  // of the games go on all the same
    int max_moves = 320;
    shogi::EnteringKingRule declaration = shogi::EnteringKingRule::points27;
};

struct SelfplaySettings {
    std::filesystem::path archive;
    std::uint64_t positions = 1'000'000;  // in the whole archive
    std::uint64_t nodes = 1000;           // a move: no further depth is begun after so many
    std::uint64_t most_nodes = 0;         // ends a depth in its midst; 0 for ten times as many
    int table_mib = 16;                   // of each engine
    TableSharing sharing = TableSharing::shared;
    std::uint64_t seed = 1;
    int workers = 1;
    std::string net;   // empty for the built-in one
    int fv_scale = 0;  // 0 for the usual one
    // Games that follow in the footsteps of an earlier one for some positions are dropped; this many positions are
    // remembered (0: none).
    std::size_t remembered_positions = std::size_t{1} << 22;
    OpeningRecipe opening;
    EndRecipe end;

    [[nodiscard]] std::uint64_t hard_nodes() const { return most_nodes != 0 ? most_nodes : 10 * nodes; }
};

}  // namespace tsumugi::learn
