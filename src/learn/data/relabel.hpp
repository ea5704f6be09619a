// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "learn/data/flow.hpp"

namespace tsumugi::learn::data {

struct RelabelSettings {
    std::filesystem::path input;
    std::filesystem::path output;  // an archive for games, .psv or .hcpe for positions
    bool overwrite = false;
    std::string net;          // empty for the built-in one
    int fv_scale = 0;         // 0 for the usual one
    std::uint64_t nodes = 0;  // no further depth is begun after so many; 0 for no limit
    int depth = 0;            // 0 for no limit, but one of the two is needed
    int table_mib = 16;       // of each worker
    int workers = 1;
    bool unscored = false;      // score positions of games that have no score, too
    double flush_seconds = 30;  // what being killed may cost
};

struct RelabelReport {
    std::uint64_t already = 0;    // positions that an earlier run had done
    std::uint64_t positions = 0;  // searched
    std::uint64_t nodes = 0;
    double seconds = 0;
    double mean_change = 0;  // of the scores, of those within 3000 before and after
    bool finished = false;   // or stopped, to be continued by the same call
};

// Searches positions anew and replaces their scores; moves and results stay. The same settings give the same scores,
// whatever the number of workers. It may be killed at any moment: what was done stands in OUTPUT.part, the settings in
// OUTPUT.part.json, and the same call goes on. The monitor counts positions, those without a score included.
base::Result<RelabelReport> relabel(const RelabelSettings& settings, const Monitor& monitor);

}  // namespace tsumugi::learn::data
