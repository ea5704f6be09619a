// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cluster/connection.hpp"

namespace tsumugi::fleet {

// An engine that others may use. Nothing else is ever started for them.
struct OfferedEngine {
    std::string name;
    std::vector<std::string> command;  // empty: this program as a USI engine
    std::filesystem::path folder;      // where it runs
    int sessions = 1;                  // at once
};

// What a host gives to a cluster.
struct AgentConfig {
    std::string name;  // that of the host unless the file says otherwise
    cluster::ConnectionSettings cluster;
    int cores = 1;
    std::uint64_t memory_mib = 0;
    int workers = 0;  // jobs at once; 0: none are done here
    std::chrono::milliseconds lease{30'000};
    std::vector<OfferedEngine> engines;
    std::vector<std::filesystem::path> nets;

    // From the text of a TOML file. Relative paths count from `folder`.
    static base::Result<AgentConfig> parse(std::string_view text, const std::filesystem::path& folder);
    static base::Result<AgentConfig> load(const std::filesystem::path& file);
};

// The table [cluster] alone, of a file that may hold other things; the brokers of this machine if there is no file.
base::Result<cluster::ConnectionSettings> load_connection(const std::filesystem::path& file);

}  // namespace tsumugi::fleet
