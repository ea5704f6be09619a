// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace tsumugi::cluster {

// A program that an agent lets others use.
struct EngineOffer {
    std::string name;
    int sessions = 1;  // at once
    int busy = 0;      // of them
};

// What an agent says about itself in the list of members.
struct AgentOffer {
    std::string name;
    int cores = 0;
    std::uint64_t memory_mib = 0;
    std::vector<EngineOffer> engines;
    std::map<std::string, std::string> nets;  // names by SHA-256
    std::vector<std::string> jobs;            // kinds that it does
    int workers = 0;                          // jobs at once
    std::uint64_t signature = 0;              // nodes of its `bench`: engines with the same one play alike

    [[nodiscard]] std::string to_text() const;
    static base::Result<AgentOffer> parse(std::string_view text);
    // Sessions of this program that are not in use.
    [[nodiscard]] int room_for(std::string_view engine) const;
};

}  // namespace tsumugi::cluster
