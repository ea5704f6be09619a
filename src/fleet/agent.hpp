// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "cluster/job_worker.hpp"
#include "cluster/membership.hpp"
#include "cluster/session.hpp"
#include "fleet/agent_config.hpp"
#include "fleet/usi_filter.hpp"

namespace tsumugi::fleet {

// A host in a cluster: says what it offers, runs its engines for others, and does jobs.
class Agent {
public:
    using Say = std::function<void(const std::string& line)>;

    // `signature` is what the bench of this program counts.
    static base::Result<std::unique_ptr<Agent>> start(const AgentConfig& config, std::uint64_t signature, Say say);
    Agent(const Agent&) = delete;
    Agent& operator=(const Agent&) = delete;

    // Does jobs and serves until a stop.
    void run(const std::stop_token& stop);

    [[nodiscard]] cluster::AgentOffer offer();

private:
    Agent(const AgentConfig& config, std::uint64_t signature, NetFiles nets, Say say)
        : config_(config), signature_(signature), nets_(std::move(nets)), say_(std::move(say)) {}
    [[nodiscard]] std::vector<cluster::Program> programs() const;
    [[nodiscard]] std::map<std::string, cluster::JobHandler> handlers() const;

    const AgentConfig config_;
    const std::uint64_t signature_;
    const NetFiles nets_;
    const Say say_;
    std::mutex saying_;
    std::shared_ptr<cluster::Connection> connection_;
    std::unique_ptr<cluster::SessionHost> host_;
    std::unique_ptr<cluster::Presence> presence_;
};

}  // namespace tsumugi::fleet
