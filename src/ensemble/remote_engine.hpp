// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cluster/connection.hpp"
#include "cluster/offer.hpp"
#include "protocol/engine_channel.hpp"

namespace tsumugi::ensemble {

// The engines that agents of a cluster offer. Nothing happens before the first of them is asked for, and brokers that
// are not there then may be there later: a group plays with whoever can be reached.
class RemoteEngines {
public:
    explicit RemoteEngines(cluster::ConnectionSettings settings) : settings_(std::move(settings)) {}

    // Who is there now.
    base::Result<std::vector<cluster::AgentOffer>> agents();
    // Starts an engine on that agent, or on the one with the most room if it is empty.
    base::Result<std::unique_ptr<protocol::EngineChannel>> open(const std::string& engine, const std::string& agent);

private:
    base::Result<std::shared_ptr<cluster::Connection>> connection();

    const cluster::ConnectionSettings settings_;
    std::mutex mutex_;
    std::shared_ptr<cluster::Connection> connection_;
};

}  // namespace tsumugi::ensemble
