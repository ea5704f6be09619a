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

// Which moves quiescence search should look at: every policy against full-width search, and on problems.
struct QuiescenceOptions {
    std::vector<std::string> policies{
        "Eval",       "SEE",       "Capture",        "King", "Escape",     "Promote",         "Check",  "Threatmate",
        "SEE+Escape", "SEE+Check", "SEE+Threatmate", "SKEP", "SKEP+Check", "SKEP+Threatmate", "Rating", "All"};
    std::string net;  // a file, "material", or the built-in one if empty
    std::uint64_t seed = 1;
    int threads = 1;

    // Positions from games, searched by full width and by every policy.
    std::size_t positions = 1000;    // 0 leaves them out
    std::vector<std::string> games;  // records (files or folders) and archives; the first are taken first
    int from_ply = 30;
    int depth = 4;
    int score_limit = 3000;

    // Problems for the engine with every policy, and with its own.
    std::vector<std::filesystem::path> problems;
    std::vector<int> problem_depths{4};
    std::vector<std::uint64_t> problem_nodes{10'000};

    // Folder for quiescence.html with the charts, quiescence.json, quiescence.md, one quiescence-….csv per table, and
    // the searches, which an interrupted run goes on with; nothing is written if empty.
    std::filesystem::path output;
};

// Prints the results; work in progress shows on stderr.
base::Result<void> run_quiescence(const QuiescenceOptions& options, std::ostream& out, const std::stop_token& stop);

}  // namespace tsumugi::experiment
