// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "learn/data/flow.hpp"

namespace tsumugi::learn::data {

struct SplitPart {
    std::filesystem::path output;
    double share = 0;  // relative to the others
};

struct SplitSettings {
    std::vector<std::filesystem::path> inputs;  // of games
    std::vector<SplitPart> parts;
    bool overwrite = false;
    std::uint64_t seed = 1;
};

struct SplitReport {
    FlowReport all;
    std::vector<FlowReport> parts;
};

// Which part a game belongs to: decided by its number and the seed alone. Training holds games out by their number too
// (learn/train/sample.hpp), independently of this.
std::size_t part_of(std::uint64_t number, std::uint64_t seed, const std::vector<SplitPart>& parts);

// Divides games among files. Provenance goes to all of them.
base::Result<SplitReport> split(const SplitSettings& settings, const Monitor& monitor);

}  // namespace tsumugi::learn::data
