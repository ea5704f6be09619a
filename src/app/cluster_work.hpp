// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "cluster/connection.hpp"
#include "fleet/job_run.hpp"

namespace tsumugi::app {

// What tells programs apart that would not play alike.
base::Result<std::uint64_t> bench_signature();

// What jobs of any kind need.
struct ClusterWork {
    std::shared_ptr<cluster::Connection> connection;
    std::string kind;
    fleet::JobRunSettings settings;
};

// `brokers` is a file with a table [cluster], or empty for the broker of this machine. Says on stderr when no agent
// does such jobs yet.
base::Result<ClusterWork> prepare_work(const std::string& brokers, const std::string& name);

}  // namespace tsumugi::app
