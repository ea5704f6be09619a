// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>

#include "base/result.hpp"

namespace tsumugi::experiment {

// Slider attacks on 81 squares: how magics are found, and all methods against each other.
struct SlidersOptions {
    std::uint64_t seed = 1;
    int finder_runs = 21;  // searches for magics per piece and kind of candidate
    std::uint64_t finder_limit = 1'000'000;
    int rounds = 15;      // repetitions of every measurement of speed
    int even_depth = 5;   // perft of the start position
    int game_depth = 3;   // perft of every game position
    int game_count = 24;  // positions taken
    // The whole engine at a fixed number of nodes: in the start position, and over the problems together.
    int engine_rounds = 10;  // 0 leaves it out
    std::uint64_t engine_nodes = 1'000'000;
    int problem_count = 216;    // positions taken, as many as the paper had
    std::filesystem::path net;  // the built-in evaluation if empty
    // SFENs, one a line; further fields after a tab and lines that begin with # are ignored. Without a file the
    // positions come from games of random moves.
    std::filesystem::path positions;
    // Folder for sliders.json, sliders.md and one sliders-….csv per table; none is written if empty.
    std::filesystem::path output;
};

// Prints the tables; work in progress shows on stderr.
base::Result<void> run_sliders(const SlidersOptions& options, std::ostream& out);

}  // namespace tsumugi::experiment
