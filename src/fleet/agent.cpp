// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet/agent.hpp"

#include <condition_variable>
#include <filesystem>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/mapped_file.hpp"
#include "fleet/book_job.hpp"
#include "fleet/duel_job.hpp"
#include "fleet/job_run.hpp"
#include "fleet/match_job.hpp"
#include "fleet/selfplay_job.hpp"

namespace tsumugi::fleet {
namespace {

using base::Error;
using base::Result;

Result<NetFiles> identify(const std::vector<std::filesystem::path>& files) {
    NetFiles nets;
    for (const std::filesystem::path& file : files) {
        const auto content = base::MappedFile::open(file);
        if (!content) return content.error();
        nets[base::sha256_hex(content->text())] = std::filesystem::absolute(file).string();
    }
    return nets;
}

}  // namespace

Result<std::unique_ptr<Agent>> Agent::start(const AgentConfig& config, std::uint64_t signature, Say say) {
    auto nets = identify(config.nets);
    if (!nets) return nets.error();
    auto connection = cluster::Connection::open(config.cluster);
    if (!connection) return connection.error();
    std::unique_ptr<Agent> agent(new Agent(config, signature, *std::move(nets), std::move(say)));
    agent->connection_ = *std::move(connection);
    auto host = cluster::SessionHost::open(
        agent->connection_, config.name, agent->programs(),
        [agent = agent.get()](std::string_view line) { return filter_usi(line, agent->nets_); }, {});
    if (!host) return host.error();
    agent->host_ = *std::move(host);
    auto membership = cluster::Membership::open(agent->connection_);
    if (!membership) return membership.error();
    agent->presence_ = std::make_unique<cluster::Presence>(*std::move(membership), config.name,
                                                           [agent = agent.get()] { return agent->offer().to_text(); });
    return agent;
}

std::vector<cluster::Program> Agent::programs() const {
    std::vector<cluster::Program> programs;
    for (const OfferedEngine& engine : config_.engines) {
        cluster::Program program;
        program.name = engine.name;
        program.sessions = engine.sessions;
        program.command.words = engine.command;
        if (program.command.words.empty()) program.command.words = {"/proc/self/exe", "usi"};
        program.command.folder = engine.folder;
        program.command.errors = base::Command::Errors::discard;
        programs.push_back(std::move(program));
    }
    return programs;
}

std::map<std::string, cluster::JobHandler> Agent::handlers() const {
    return {{job_kind("match", signature_),
             [this](const cluster::Job& job, const std::stop_token& stop) -> Result<std::string> {
                 auto work = MatchJob::parse(job.payload);
                 if (!work) return work.error();
                 const auto result = play(*std::move(work), config_.engines, nets_, stop);
                 if (!result) return result.error();
                 return result->to_text();
             }},
            {job_kind("selfplay", signature_),
             [this](const cluster::Job& job, const std::stop_token& stop) -> Result<std::string> {
                 auto work = SelfplayJob::parse(job.payload);
                 if (!work) return work.error();
                 return play(*std::move(work), nets_, stop);
             }},
            {job_kind("book", signature_),
             [this](const cluster::Job& job, const std::stop_token& stop) -> Result<std::string> {
                 const auto work = BookJob::parse(job.payload);
                 if (!work) return work.error();
                 const auto result = think(*work, nets_, stop);
                 if (!result) return result.error();
                 return result->to_text();
             }},
            {job_kind("duel", signature_),
             [this](const cluster::Job& job, const std::stop_token& stop) -> Result<std::string> {
                 const auto work = DuelJob::parse(job.payload);
                 if (!work) return work.error();
                 const auto result = play(*work, nets_, stop);
                 if (!result) return result.error();
                 return duel_result_text(*result);
             }}};
}

cluster::AgentOffer Agent::offer() {
    cluster::AgentOffer offer;
    offer.name = config_.name;
    offer.cores = config_.cores;
    offer.memory_mib = config_.memory_mib;
    offer.engines = host_->offers();
    for (const auto& [hash, file] : nets_)
        offer.nets[hash] = std::filesystem::path(file).filename().string();
    offer.workers = config_.workers;
    if (config_.workers > 0)
        for (const auto& each : handlers())
            offer.jobs.push_back(each.first);
    offer.signature = signature_;
    return offer;
}

void Agent::run(const std::stop_token& stop) {
    std::vector<std::jthread> workers;
    for (int i = 0; i < config_.workers; ++i)
        workers.emplace_back([this, &stop] {
            cluster::JobSettings settings;
            settings.lease = config_.lease;
            cluster::JobWorker worker(connection_, handlers(), settings);
            worker.on_job([this](const cluster::Job& job, const std::string& what) {
                const std::lock_guard lock(saying_);
                say_(fmt::format("{} {} of run {}: {}", job.kind, job.number, job.run, what));
            });
            worker.run(stop);
        });
    std::mutex mutex;
    std::condition_variable_any over;
    std::unique_lock lock(mutex);
    over.wait(lock, stop, [] { return false; });
}

}  // namespace tsumugi::fleet
