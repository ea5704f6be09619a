// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "arena/match.hpp"
#include "fleet/job_run.hpp"
#include "fleet/match_run.hpp"

// A small match whose games are jobs.
namespace tsumugi::test {

constexpr std::uint64_t match_games = 20;

// Between our own engine and one that agents offer as "mock".
inline arena::MatchConfig match_config(const std::filesystem::path& folder, std::uint64_t games = match_games) {
    arena::MatchConfig config;
    for (const char* name : {"own", "mock"}) {
        arena::EngineSpec engine;
        engine.name = name;
        engine.allowance.nodes = 50;
        engine.options = {{"USI_Hash", "1"}};
        config.engines.push_back(engine);
    }
    config.engines[0].options.emplace_back("EvalFile", "material");
    config.engines[1].command = {"cluster:mock"};
    config.games = games;
    config.folder = folder;
    config.pool.play.rules.max_moves = 12;
    return config;
}

inline fleet::JobRunSettings quick() {
    fleet::JobRunSettings settings;
    settings.window = 4;
    settings.jobs.lease = std::chrono::milliseconds(1000);
    return settings;
}

inline base::Result<void> run_match(arena::Match& match, const arena::MatchConfig& config,
                                    std::shared_ptr<cluster::Connection> connection, const std::stop_token& stop) {
    fleet::MatchRun run(match, config);
    return fleet::run_jobs(run, std::move(connection), fleet::job_kind("match", 1), *run.name(), quick(), stop);
}

}  // namespace tsumugi::test
