// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/engine_spec.hpp"
#include "base/result.hpp"

namespace tsumugi::experiment {

// Two players, and a third only where they differ (S5).
struct TwoThenThirdOptions {
    std::vector<arena::EngineSpec> players;  // the two, the first of them leading, and the third
    std::uint64_t seed = 1;

    // Agreement on positions of games.
    std::size_t positions = 200;                           // of each phase, each of another game; 0 leaves it out
    std::vector<std::string> records;                      // files, or folders of files
    std::vector<int> phases{2, 21, 41, 61, 81, 101, 121};  // the move numbers that they begin with

    // The rule against the players.
    std::uint64_t games = 0;  // of each pairing; 0 leaves them out
    int concurrency = 1;
    std::filesystem::path openings;

    // Folder for two-then-third.json, .md and .html, one .csv per table, and the matches; none is written if empty, and
    // matches go where matches go.
    std::filesystem::path output;
};

// Prints the results; work in progress shows on stderr. Matches that were interrupted go on where they were.
base::Result<void> run_two_then_third(const TwoThenThirdOptions& options, std::ostream& out,
                                      const std::stop_token& stop);

}  // namespace tsumugi::experiment
