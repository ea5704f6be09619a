// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/engine_spec.hpp"
#include "base/result.hpp"

namespace tsumugi::experiment {

// Groups that decide by majority: copies of one engine that err differently, and different programs (S11).
struct ConsultationOptions {
    // Of votes, majority, depth, resources, mixed, curve.
    std::vector<std::string> parts{"votes", "majority", "depth", "resources", "curve"};
    std::vector<int> players{1, 4, 8, 16};
    std::vector<double> sigmas{0.125, 0.25, 0.5, 1};  // as shares of the pawn exchange
    double pawn_exchange = 200;
    double resource_sigma = 0.25;
    std::uint64_t nodes = 2000;  // a player
    std::vector<int> depths{2, 4, 6, 8};
    std::uint64_t games = 1000;  // of each pairing
    int concurrency = 1;
    std::string net;  // a file, "material", or the built-in one if empty
    std::size_t hash_kib = 1024;
    bool shares_tables = false;
    std::uint64_t seed = 1;
    std::filesystem::path openings;

    // Positions to vote on.
    std::vector<std::string> records;  // files, or folders of files
    std::size_t positions = 500;
    int from_ply = 10;
    int to_ply = 150;

    // The group of different programs.
    std::vector<arena::EngineSpec> members;
    std::uint64_t balance_games = 40;

    // Folder for consultation.json, .md and .html, one .csv per table, the charts as .svg, and the matches; none is
    // written if empty, and matches go where matches go.
    std::filesystem::path output;
};

// Prints the results of each part when it is done; work in progress shows on stderr. Matches that were interrupted go
// on where they were.
base::Result<void> run_consultation(const ConsultationOptions& options, std::ostream& out, const std::stop_token& stop);

}  // namespace tsumugi::experiment
