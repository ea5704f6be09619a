// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "learn/data/flow.hpp"

namespace tsumugi::learn::data {

struct BranchSettings {
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;  // .psv or .hcpe
    bool overwrite = false;
    int count = 1;  // new positions for each old one
    int moves = 1;  // random moves that lead to it, at most
    int max_score = 3000;
    std::string net;   // empty for the built-in one
    int fv_scale = 0;  // 0 for the usual one
    std::uint64_t seed = 1;
    int workers = 1;
};

struct BranchReport {
    FlowReport read;
    std::uint64_t written = 0;
};

// Positions beside those of games: a search looks at many that nobody would play to, and a net that has only seen good
// play misjudges them. From every position with a score one or a few random moves are played and then the captures of
// the best line: a net is asked about positions in which nothing hangs any more, and what hung is the search's
// business. The score is the evaluation there. Positions in check, decided or without a legal move are left out. Nobody
// played on from there: the result is that of a draw, and training must not weigh it. The same settings give the same
// positions, in the same order, whatever the number of workers.
base::Result<BranchReport> branch(const BranchSettings& settings, const Monitor& monitor);

}  // namespace tsumugi::learn::data
