// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <stop_token>
#include <vector>

#include "base/result.hpp"
#include "cluster/connection.hpp"

namespace tsumugi::experiment {

// What the brokers and a coordinator cost for each job and each line, with many workers that do nothing: how many hosts
// one coordinator can keep busy follows from it.
struct ClusterOptions {
    cluster::ConnectionSettings brokers;
    std::vector<int> agents{1, 4, 16, 64};  // connections of their own, inside this process
    std::uint64_t jobs = 1000;              // for each row
    std::size_t job_bytes = 1000;
    std::size_t result_bytes = 20'000;  // about a pair of games, or some thousand positions
    std::uint64_t lines = 200;          // there and back, of each session
    std::size_t line_bytes = 400;
    int broker_process = 0;        // whose processor time is counted too; 0 for none
    std::filesystem::path output;  // folder for cluster.json, cluster.md and the tables as CSV; none if empty
};

base::Result<void> run_cluster(const ClusterOptions& options, std::ostream& out, const std::stop_token& stop);

}  // namespace tsumugi::experiment
