// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiment/council.hpp"
#include "experiment/planned_match.hpp"

namespace tsumugi::experiment::consultation {

// What all players and matches of random consultation have in common.
struct Setting {
    std::string net;              // a file, "material", or the built-in one if empty
    double pawn_exchange = 200;   // what noise is measured in
    std::size_t hash_kib = 1024;  // of the table of each player
    bool shares_tables = false;   // one of that size a player, but in common
    std::uint64_t seed = 1;       // of decisions at random
    std::uint64_t games = 1000;   // of each pairing
    int concurrency = 1;
    std::filesystem::path openings;
    std::filesystem::path folder;  // of the matches; empty: each is given one by its name
};

// So many copies of our engine with noise of their own, or the plain engine: one player without noise.
struct Entrant {
    int players = 1;
    double sigma = 0;  // of the noise, as a share of the pawn exchange
    arena::Allowance allowance{};

    [[nodiscard]] bool is_plain() const { return players == 1 && sigma == 0; }
    // "16 x 1/4, nodes=2000".
    [[nodiscard]] std::string name() const;
};

// Everybody against the first.
struct Contest {
    std::string key;  // for files and folders
    std::string title;
    std::vector<Entrant> entrants;
};

arena::Allowance so_many_nodes(std::uint64_t nodes);
arena::Allowance so_deep(int depth);

// "1/8" for 0.125; what is no such fraction as a decimal number.
std::string fraction(double share);

// The councillors of an entrant.
CouncilConfig council_of(const Setting& setting, const Entrant& entrant);
base::Result<PlannedMatch> plan_of(const Setting& setting, const Contest& contest);

// What is asked of random consultation, as matches.
struct Grid {
    std::vector<int> players{1, 4, 8, 16};
    std::vector<double> sigmas{0.125, 0.25, 0.5, 1};
    std::uint64_t nodes = 2000;  // a player
};
// Every number of players with every noise against the plain engine, all with the same nodes a player.
Contest majority_contest(const Grid& grid);
// One noisy player, and the largest number of them, against the plain engine at the same depth.
std::vector<Contest> depth_contests(const Grid& grid, const std::vector<int>& depths);
// Against the plain engine: so many players, one with as many nodes as all of them, and one with nodes as of a parallel
// search whose speed grows with the square root.
Contest resource_contest(const Grid& grid, double sigma);

}  // namespace tsumugi::experiment::consultation
