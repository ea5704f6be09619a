// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/process.hpp"
#include "cluster/broker.hpp"
#include "ensemble/remote_engine.hpp"
#include "fleet/agent.hpp"

namespace tsumugi::test {

// An agent on threads of the test.
class LocalAgent {
public:
    explicit LocalAgent(const fleet::AgentConfig& config) {
        auto agent = fleet::Agent::start(config, 1, [](const std::string&) {});
        if (!agent) throw std::runtime_error(agent.error().message);
        agent_ = *std::move(agent);
        thread_ = std::jthread([this](const std::stop_token& stop) { agent_->run(stop); });
    }

private:
    std::unique_ptr<fleet::Agent> agent_;
    std::jthread thread_;
};

// An agent in a process of its own (tests/fleet/mock/agent.cpp).
class RemoteAgent {
public:
    // `inside` are the words before a command that run it on another host.
    explicit RemoteAgent(const std::string& config, const std::vector<std::string>& inside = {}) {
        std::ofstream(folder_.path() / "agent.toml") << config;
        base::Command command;
        command.words = inside;
        command.words.insert(command.words.end(), {std::string(TSUMUGI_MOCK_DIR) + "/fleet_mock_agent",
                                                   (folder_.path() / "agent.toml").string()});
        auto process = base::Process::start(command);
        if (!process) throw std::runtime_error(process.error().message);
        process_.emplace(*std::move(process));
    }
    void signal(int number) { process_->kill(number); }
    // Until it says something that holds these words.
    bool wait_for(const std::string& words) {
        const auto deadline = base::Deadline::after(std::chrono::seconds(20));
        for (;;) {
            const auto line = process_->read_line(deadline);
            if (line.kind != base::Process::Line::Kind::text) return false;
            if (line.text.find(words) != std::string::npos) return true;
        }
    }

private:
    TempFolder folder_;
    std::optional<base::Process> process_;
};

inline fleet::AgentConfig agent_config(const Broker& broker, const std::string& name, int workers = 0) {
    fleet::AgentConfig config;
    config.name = name;
    config.cluster.servers = {broker.url()};
    config.workers = workers;
    config.lease = std::chrono::milliseconds(1000);
    return config;
}

// The same as a file.
inline std::string agent_file(const Broker& broker, const std::string& name, int workers = 0) {
    return fmt::format("name = \"{}\"\nworkers = {}\nlease = 1000\n[cluster]\nservers = [\"{}\"]\n", name, workers,
                       broker.url());
}

inline fleet::OfferedEngine offered_mock(const std::string& name, const std::string& mode, int sessions = 1) {
    return {name, {std::string(TSUMUGI_MOCK_DIR) + "/arena_mock_engine", mode}, {}, sessions};
}

// Waits until so many agents are in the list of members.
inline void wait_for_agents(const Broker& broker, std::size_t count) {
    cluster::ConnectionSettings settings;
    settings.servers = {broker.url()};
    ensemble::RemoteEngines remote(settings);
    for (int i = 0; i < 400; ++i) {
        if (const auto agents = remote.agents(); agents && agents->size() >= count) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    throw std::runtime_error("the agents did not come");
}

}  // namespace tsumugi::test
