// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cluster_work.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/bench.hpp"
#include "ensemble/remote_engine.hpp"
#include "fleet/agent_config.hpp"

namespace tsumugi::app {
namespace {

using base::Result;

// Jobs on their way for each worker there is: enough that nobody waits for the coordinator.
constexpr std::size_t jobs_a_worker = 2;
constexpr std::size_t smallest_window = 8;

// How many jobs to have under way, and whether anybody does them.
Result<std::size_t> window_for(const cluster::ConnectionSettings& settings, const std::string& kind) {
    const auto agents = ensemble::RemoteEngines(settings).agents();
    if (!agents) return agents.error();
    std::size_t workers = 0;
    for (const cluster::AgentOffer& agent : *agents)
        if (std::find(agent.jobs.begin(), agent.jobs.end(), kind) != agent.jobs.end())
            workers += static_cast<std::size_t>(agent.workers);
    if (workers == 0) fmt::print(stderr, "no agent does jobs of the kind {} yet; they wait until one comes\n", kind);
    return std::max(smallest_window, jobs_a_worker * workers);
}

}  // namespace

Result<std::uint64_t> bench_signature() {
    const auto bench = run_bench({}, [](const BenchResult::Row&) {});
    if (!bench) return bench.error();
    return bench->nodes();
}

Result<ClusterWork> prepare_work(const std::string& brokers, const std::string& name) {
    const auto settings = fleet::load_connection(brokers);
    if (!settings) return settings.error();
    const auto signature = bench_signature();
    if (!signature) return signature.error();
    auto connection = cluster::Connection::open(*settings);
    if (!connection) return connection.error();
    ClusterWork work{*std::move(connection), fleet::job_kind(name, *signature), {}};
    const auto window = window_for(*settings, work.kind);
    if (!window) return window.error();
    work.settings.window = *window;
    return work;
}

}  // namespace tsumugi::app
