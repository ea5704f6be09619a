// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "base/result.hpp"
#include "experiment/planned_match.hpp"
#include "experiment/tables/contender.hpp"

namespace tsumugi::experiment::tables {

struct MatchStudy {
    std::vector<Contender> contenders;   // each of the others plays the first
    std::vector<std::size_t> kibibytes;  // of single tables: a match for each
    std::uint64_t games = 100;           // of each pairing
    std::uint64_t nodes = 2000;          // a move
    int concurrency = 1;                 // games at once
    std::filesystem::path openings;
    std::string net;               // empty for the built-in one
    std::filesystem::path folder;  // of the matches; empty: each is given one by its name
};

// How a contender fared against the first.
struct MatchCell {
    Contender contender;
    std::size_t kibibytes = 0;
    Score score;
};

struct MatchResults {
    std::vector<MatchCell> cells;
    bool complete = false;
};

// Games that were played before are not played again. After a stop the cells hold what there is.
base::Result<MatchResults> study_matches(const MatchStudy& study, const base::ProgressOutput& output,
                                         const std::stop_token& stop);

}  // namespace tsumugi::experiment::tables
