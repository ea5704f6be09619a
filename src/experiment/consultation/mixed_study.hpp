// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "experiment/council.hpp"
#include "experiment/planned_match.hpp"

namespace tsumugi::experiment::consultation {

// Different programs in one group.
struct MixedStudy {
    // The first one's allowance stays; the nodes of the others are where the search for their limits begins.
    std::vector<arena::EngineSpec> members;
    std::uint64_t games = 1000;        // of each pairing
    std::uint64_t balance_games = 40;  // of a trial in the search for limits; 0: the limits stay as they are
    std::uint64_t seed = 1;            // of decisions at random
    int concurrency = 1;
    std::filesystem::path openings;
    std::filesystem::path folder;
};

// A step in the search for a limit: how a member fared against the first with so many nodes.
struct Trial {
    std::string name;
    std::uint64_t nodes = 0;
    Score score;
};

struct Pairing {
    std::string first;
    std::string second;
    Score score;  // of the first
};

struct MixedResults {
    std::vector<Trial> trials;
    std::vector<arena::EngineSpec> members;  // with the limits that were found, the strongest first
    std::vector<Pairing> pairings;           // every member against every other
    std::vector<Pairing> group;              // the group against every member
    bool complete = false;
};

// The nodes that are tried next: halved or doubled until the even score lies between two trials, then in the middle of
// them by ratio. Nothing when the last trial is good enough, or as good as trials can tell.
std::optional<std::uint64_t> next_nodes(const std::vector<Trial>& trials);

// Searches the limits, lets the members play each other, and then their group against each of them; where all differ
// the member that came out best has its way. Everything that was played before is not played again.
base::Result<MixedResults> study_mixed(const MixedStudy& study, const base::ProgressOutput& output,
                                       const std::stop_token& stop);

}  // namespace tsumugi::experiment::consultation
