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

// Transposition tables from one move to the next: cleared, aged, or two that alternate; and what they keep.
struct TablesOptions {
    std::vector<std::string> policies{"Clearing", "Alternating", "Alternating:4", "Ageing"};
    std::vector<std::string> schemes{"Modern"};
    std::vector<std::size_t> kibibytes{1024};  // sizes of a single table
    std::string net;                           // a file, "material", or the built-in one if empty
    std::uint64_t seed = 1;

    // Searches of positions from games.
    std::size_t positions = 100;     // 0 leaves them out
    std::vector<std::string> games;  // files, or folders of files
    int from_ply = 30;
    int to_ply = 80;
    // What ends them; amounts of 0 are left out.
    std::vector<std::uint64_t> times{50, 125};  // milliseconds
    std::vector<std::uint64_t> iterations{10, 12};
    std::vector<std::uint64_t> nodes{20'000, 40'000};

    // Matches against the first policy with the first scheme.
    std::uint64_t match_games = 0;  // of each pairing; 0 leaves them out
    std::uint64_t match_nodes = 2000;
    int concurrency = 1;  // games at once
    std::filesystem::path openings;

    // Folder for tables.json, tables.md, one tables-….csv per table, and the matches; none is written if empty, and
    // matches go where matches go.
    std::filesystem::path output;
};

// Prints the results; work in progress shows on stderr. Matches that were interrupted go on where they were.
base::Result<void> run_tables(const TablesOptions& options, std::ostream& out, const std::stop_token& stop);

}  // namespace tsumugi::experiment
