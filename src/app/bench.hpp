// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.hpp"

namespace tsumugi::app {

struct BenchSettings {
    int depth = 12;
    int threads = 1;
    int table_mib = 64;
    std::optional<std::chrono::milliseconds> move_time;  // instead of the depth
    std::string net;                                     // empty for the built-in one
};

struct BenchResult {
    struct Row {
        std::string_view name;
        std::uint64_t nodes = 0;
        int depth = 0;
        double seconds = 0;
        std::string best;
    };
    std::vector<Row> rows;
    std::string evaluation;

    // The sum of the nodes: with one thread and a fixed depth it identifies what the search does.
    [[nodiscard]] std::uint64_t nodes() const;
    [[nodiscard]] double seconds() const;
    [[nodiscard]] double nodes_per_second() const;
};

// Searches well-known positions, each with empty tables. `finished` is told of every position.
base::Result<BenchResult> run_bench(const BenchSettings& settings,
                                    const std::function<void(const BenchResult::Row&)>& finished);

}  // namespace tsumugi::app
