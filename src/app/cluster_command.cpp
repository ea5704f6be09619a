// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cluster_work.hpp"
#include "app/command.hpp"
#include "app/group_service.hpp"
#include "arena/match.hpp"
#include "arena/match_report.hpp"
#include "arena/match_setting.hpp"
#include "base/progress.hpp"
#include "base/signal.hpp"
#include "ensemble/consultation.hpp"
#include "ensemble/multi_ponder.hpp"
#include "ensemble/remote_engine.hpp"
#include "fleet/agent.hpp"
#include "fleet/match_run.hpp"
#include "fleet/selfplay_run.hpp"
#include "report/table.hpp"

namespace tsumugi::app {
namespace {

using base::Error;
using base::Result;

Result<void> run_agent(const std::string& file) {
    const auto config = fleet::AgentConfig::load(file);
    if (!config) return config.error();
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return interrupt.error();
    const auto signature = bench_signature();
    if (!signature) return signature.error();
    const auto agent =
        fleet::Agent::start(*config, *signature, [](const std::string& line) { fmt::print(stderr, "{}\n", line); });
    if (!agent) return agent.error();
    fmt::print(stderr, "agent {} serves: {}\n", config->name, (*agent)->offer().to_text());
    (*agent)->run((*interrupt)->token());
    return {};
}

Result<void> print_status(const std::string& brokers, bool json) {
    const auto settings = fleet::load_connection(brokers);
    if (!settings) return settings.error();
    const auto agents = ensemble::RemoteEngines(*settings).agents();
    if (!agents) return agents.error();
    auto list = nlohmann::ordered_json::array();
    report::Table table({"agent", "cores", "MiB", "engines", "nets", "workers", "signature"});
    for (const cluster::AgentOffer& agent : *agents) {
        list.push_back(nlohmann::ordered_json::parse(agent.to_text()));
        std::string engines;
        for (const cluster::EngineOffer& engine : agent.engines)
            engines +=
                fmt::format("{}{} {}/{}", engines.empty() ? "" : ", ", engine.name, engine.busy, engine.sessions);
        table.add(
            {agent.name, agent.cores, agent.memory_mib, engines, agent.nets.size(), agent.workers, agent.signature});
    }
    fmt::print("{}", json ? list.dump(2) + "\n" : table.to_text());
    return {};
}

// Our own engine and every session that agents offer at this moment.
Result<ensemble::Config> everybody(const cluster::ConnectionSettings& settings) {
    const auto agents = ensemble::RemoteEngines(settings).agents();
    if (!agents) return agents.error();
    ensemble::Config config;
    config.cluster = settings;
    config.members.push_back({.name = "here"});
    for (const cluster::AgentOffer& agent : *agents)
        for (const cluster::EngineOffer& engine : agent.engines)
            for (int i = engine.busy; i < engine.sessions; ++i)
                config.members.push_back({.name = fmt::format("{}-{}-{}", agent.name, engine.name, i + 1),
                                          .engine = engine.name,
                                          .agent = agent.name});
    return config;
}

template <typename Group>
Result<void> run_group(const std::string& file, const std::string& brokers) {
    const auto settings = fleet::load_connection(brokers);
    if (!settings) return settings.error();
    auto config = file.empty() ? everybody(*settings) : ensemble::Config::load(file);
    if (!config) return config.error();
    if (!brokers.empty()) config->cluster = *settings;
    const auto group = Group::create(*std::move(config));
    if (!group) return group.error();
    serve_group(**group);
    return {};
}

Result<void> run_match(const std::string& file, const std::string& brokers, bool json) {
    const auto request = arena::MatchRequest::load(file);
    if (!request) return request.error();
    const auto config = request->to_config();
    if (!config) return config.error();
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return interrupt.error();
    auto work = prepare_work(brokers, "match");
    if (!work) return work.error();
    const auto match = arena::Match::open(*config);
    if (!match) return match.error();
    fleet::MatchRun run(**match, *config);
    const auto name = run.name();
    if (!name) return name.error();
    {
        base::Progress progress("games", (*match)->games(), (*match)->standing().games());
        (*match)->on_game([&](const arena::StoredGame&, const arena::Standing& standing) {
            progress.note(standing.summary());
            progress.add();
        });
        work->settings.say = [&](const std::string& line) { progress.print(line); };
        if (const auto done =
                fleet::run_jobs(run, work->connection, work->kind, *name, work->settings, (*interrupt)->token());
            !done)
            return done;
    }
    auto results = arena::ResultStore::read((*match)->folder() / arena::result_file);
    if (!results) return results.error();
    const auto report = arena::MatchReport::collect(*results);
    if (!report) return report.error();
    fmt::print("{}", json ? report->to_json().dump(2) + "\n" : report->to_text());
    if (!(*match)->complete()) fmt::print(stderr, "interrupted; the same command goes on with the match\n");
    return {};
}

struct SelfplayOptions {
    learn::SelfplaySettings settings;
    std::string archive;
    std::uint64_t games_a_job = 32;
    std::string brokers;
};

Result<void> run_selfplay(const SelfplayOptions& options) {
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return interrupt.error();
    auto work = prepare_work(options.brokers, "selfplay");
    if (!work) return work.error();
    learn::SelfplaySettings settings = options.settings;
    settings.archive = options.archive;
    std::optional<base::Progress> progress;
    const auto run = fleet::SelfplayRun::open(
        settings, options.games_a_job, [&](const record::ArchivedGame& game) { progress->add(game.plies.size()); });
    if (!run) return run.error();
    progress.emplace("positions", settings.positions, (*run)->positions());
    work->settings.say = [&](const std::string& line) { progress->print(line); };
    const auto done =
        fleet::run_jobs(**run, work->connection, work->kind, (*run)->name(), work->settings, (*interrupt)->token());
    progress.reset();
    if (!done) return done;
    fmt::print("{} games, {} positions\n", (*run)->games(), (*run)->positions());
    return {};
}

void add_brokers(CLI::App& command, std::string& brokers) {
    command
        .add_option("--brokers", brokers, "TOML file with a table [cluster]; the broker of this machine if left out")
        ->check(CLI::ExistingFile);
}

void finish(Session& session, const Result<void>& done) {
    if (!done) fail(session, done.error().message);
}

void add_agent(CLI::App& cluster, Session& session) {
    auto file = std::make_shared<std::string>();
    CLI::App* command = cluster.add_subcommand("agent", "Offer the engines and processors of this host");
    command->add_option("file", *file, "TOML file that names them")->required()->check(CLI::ExistingFile);
    command->callback([file, &session] { finish(session, run_agent(*file)); });
}

void add_status(CLI::App& cluster, Session& session) {
    auto brokers = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    CLI::App* command = cluster.add_subcommand("status", "Show the agents that are alive and what they offer");
    add_brokers(*command, *brokers);
    command->add_flag("--json", *json, "Print everything as JSON");
    command->callback([brokers, json, &session] { finish(session, print_status(*brokers, *json)); });
}

template <typename Group>
void add_group(CLI::App& run, Session& session, const char* name, const char* help) {
    auto file = std::make_shared<std::string>();
    auto brokers = std::make_shared<std::string>();
    CLI::App* command = run.add_subcommand(name, help);
    command->add_option("file", *file, "TOML file of the group; everybody who is there if left out")
        ->check(CLI::ExistingFile);
    add_brokers(*command, *brokers);
    command->callback([file, brokers, &session] { finish(session, run_group<Group>(*file, *brokers)); });
}

void add_match(CLI::App& run, Session& session) {
    auto file = std::make_shared<std::string>();
    auto brokers = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    CLI::App* command = run.add_subcommand("match", "Play a match on the hosts of the cluster");
    command->add_option("file", *file, "TOML file of the match; cmd = \"cluster:NAME\" is an engine that agents offer")
        ->required()
        ->check(CLI::ExistingFile);
    add_brokers(*command, *brokers);
    command->add_flag("--json", *json, "Print the results as JSON");
    command->callback([file, brokers, json, &session] { finish(session, run_match(*file, *brokers, *json)); });
}

void add_selfplay(CLI::App& run, Session& session) {
    auto options = std::make_shared<SelfplayOptions>();
    learn::SelfplaySettings& settings = options->settings;
    CLI::App* command = run.add_subcommand("selfplay", "Make games for training on the hosts of the cluster");
    command->add_option("archive", options->archive, "Archive to write or to continue")->required();
    command->add_option("--positions", settings.positions, "Positions that the archive shall hold")
        ->capture_default_str();
    command->add_option("--nodes", settings.nodes, "Nodes a move")->check(CLI::PositiveNumber)->capture_default_str();
    command->add_option("--seed", settings.seed, "Chooses the games")->capture_default_str();
    command->add_option("--net", settings.net, "sha256:HASH of a net that agents have, or the word material");
    command->add_option("--games-a-job", options->games_a_job, "Games that one worker plays before it reports")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    add_brokers(*command, options->brokers);
    command->callback([options, &session] { finish(session, run_selfplay(*options)); });
}

}  // namespace

void add_cluster_command(CLI::App& program, Session& session) {
    CLI::App* command = program.add_subcommand("cluster", "Use many hosts as one, through NATS brokers");
    command->require_subcommand(1);
    add_agent(*command, session);
    add_status(*command, session);
    CLI::App* run = command->add_subcommand("run", "Play or work with the hosts of the cluster");
    run->require_subcommand(1);
    add_group<ensemble::Consultation>(*run, session, "consult", "A USI engine: all think, and a rule decides");
    add_group<ensemble::MultiPonder>(*run, session, "multiponder",
                                     "A USI engine: each host ponders another reply of the opponent");
    add_match(*run, session);
    add_selfplay(*run, session);
    command->footer(
        "Interrupted work goes on with the same command. Examples (docs/cluster.md has more):\n"
        "  nats-server -js -a 127.0.0.1\n"
        "  tsumugi cluster agent agent.toml\n"
        "  tsumugi cluster status\n"
        "  tsumugi cluster run consult\n"
        "  tsumugi cluster run selfplay games.tsa --positions 100000000 --nodes 5000");
}

}  // namespace tsumugi::app
