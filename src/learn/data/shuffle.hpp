// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "learn/data/flow.hpp"

namespace tsumugi::learn::data {

struct ShuffleSettings {
    std::vector<std::filesystem::path> inputs;  // of games: their positions with a score
    std::filesystem::path output;               // of positions
    bool overwrite = false;
    std::uint64_t seed = 1;
    std::size_t memory = std::size_t{1} << 30;  // bytes; more of it means fewer temporary files
};

// Brings positions into a random order, however many there are. Every position draws a random number and the output is
// sorted by it: first into temporary files by the leading bits, then each of these in memory. The same inputs and seed
// give the same order, whatever the memory.
base::Result<FlowReport> shuffle(const ShuffleSettings& settings, const Monitor& monitor);

}  // namespace tsumugi::learn::data
