// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <vector>

#include "base/result.hpp"
#include "learn/data/sink.hpp"
#include "learn/data/source.hpp"

namespace tsumugi::learn::data {

// Who watches long work. Several threads may report at a time.
struct Monitor {
    std::function<void(std::uint64_t total, std::uint64_t already)> begin = [](std::uint64_t, std::uint64_t) {};
    std::function<void(std::uint64_t done)> advance = [](std::uint64_t) {};  // since the last call
    std::stop_token stop{};
};

// What passed.
struct FlowReport {
    std::uint64_t games = 0;
    std::uint64_t positions = 0;      // with a score
    std::uint64_t damaged_bytes = 0;  // of archives, skipped
};

// Hands every item to `take`, which may change it or move it away. The monitor counts bytes.
using Take = std::function<base::Result<void>(Item& item)>;
base::Result<FlowReport> pour(Source& source, const Take& take, const Monitor& monitor);

// The error of work that was stopped: nothing is left behind.
base::Error stopped();

struct CopySettings {
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    bool overwrite = false;
    bool renumber = false;  // games from 0 on, in their order
};

// Converts, and puts files together.
base::Result<FlowReport> copy(const CopySettings& settings, const Monitor& monitor);

}  // namespace tsumugi::learn::data
