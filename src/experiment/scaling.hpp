// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace tsumugi::experiment {

// What more nodes, and more threads, are worth to our own engine playing against itself.
struct ScalingOptions {
    // Each of them plays against the one before. Fewer than two leave nodes out.
    std::vector<std::uint64_t> nodes{1'000, 2'000, 4'000, 8'000, 16'000, 32'000, 64'000, 128'000, 256'000};
    // Games of every step; the last number goes for all that follow.
    std::vector<std::uint64_t> games{400};

    // Each of them plays against the first, at equal time, so many games. Fewer than two leave threads out.
    std::vector<int> threads;
    std::uint64_t thread_games = 200;
    int move_time = 50;  // milliseconds

    std::string net;  // a file, "material", or the built-in one if empty
    int hash_mib = 64;
    std::uint64_t seed = 1;          // of the order of the openings
    int concurrency = 1;             // games at once; where threads are compared, one
    std::filesystem::path openings;  // where games begin
    // Folder for scaling.html, scaling.json, scaling.md, tables and charts, and for the matches, which an interrupted
    // run goes on with. Without one, the matches choose theirs.
    std::filesystem::path output;
};

// Prints the results; work in progress shows on stderr.
base::Result<void> run_scaling(const ScalingOptions& options, std::ostream& out, const std::stop_token& stop);

}  // namespace tsumugi::experiment
