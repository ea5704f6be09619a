// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

#include "app/experiment_command.hpp"
#include "base/signal.hpp"
#include "experiment/cluster.hpp"
#include "experiment/multiponder.hpp"
#include "fleet/agent_config.hpp"

namespace tsumugi::app {
namespace {

void add_multiponder(CLI::App& experiments, Session& session) {
    auto options = std::make_shared<experiment::MultiponderOptions>();
    auto byoyomi = std::make_shared<std::int64_t>(options->byoyomi.count());
    auto prediction = std::make_shared<std::int64_t>(options->prediction.count());
    CLI::App* command = experiments.add_subcommand(
        "multiponder", "A group that ponders several replies against one engine with as many threads (S8)");
    command->alias("S8");
    command->add_option("--players", options->players, "Of the group, one thread each")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    command
        ->add_option("--threads", options->threads,
                     "Of the engine on the other side; as many as players for equal cores")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command->add_option("--hash", options->mebibytes, "MiB of the tables of a side")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    command->add_option("--games", options->games, "Games to play; pairs begin alike with colours exchanged")
        ->capture_default_str();
    command->add_option("--byoyomi", *byoyomi, "Milliseconds a move")
        ->check(CLI::Range(10, 3'600'000))
        ->capture_default_str();
    command->add_option("--prediction", *prediction, "Milliseconds of search for the guesses")
        ->check(CLI::Range(1, 60'000))
        ->capture_default_str();
    command->add_option("--net", options->net,
                        "Evaluate with this net, or the word material, not with the built-in net");
    command->add_option("--openings", options->openings, "Where the games begin: positions or games, one a line")
        ->check(CLI::ExistingFile);
    command->add_option("--output", options->output, "Folder for the tables and the games");
    command->footer(
        "With --output, running the same command again continues an interrupted run.\n\nExample:\n"
        "  tsumugi experiment multiponder --players 4 --threads 4 --games 200 --openings balanced.sfen --output "
        "results");
    command->callback([options, byoyomi, prediction, &session] {
        options->byoyomi = think::Milliseconds(*byoyomi);
        options->prediction = think::Milliseconds(*prediction);
        const auto interrupt = base::Interrupt::watch();
        if (!interrupt) return fail(session, interrupt.error().message);
        if (const auto done = experiment::run_multiponder(*options, std::cout, (*interrupt)->token()); !done)
            fail(session, done.error().message);
    });
}

void add_cluster_scaling(CLI::App& experiments, Session& session) {
    auto options = std::make_shared<experiment::ClusterOptions>();
    auto brokers = std::make_shared<std::string>();
    CLI::App* command =
        experiments.add_subcommand("cluster", "What jobs and lines cost the brokers and the coordinator of a cluster");
    command
        ->add_option("--brokers", *brokers, "TOML file with a table [cluster]; the broker of this machine if left out")
        ->check(CLI::ExistingFile);
    command->add_option("--agents", options->agents, "Numbers of workers and of sessions")
        ->delimiter(',')
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
    command->add_option("--jobs", options->jobs, "Jobs for each of them")->capture_default_str();
    command->add_option("--job-bytes", options->job_bytes, "Size of a job")->capture_default_str();
    command->add_option("--result-bytes", options->result_bytes, "Size of a result")->capture_default_str();
    command->add_option("--lines", options->lines, "Lines for each session")->capture_default_str();
    command->add_option("--line-bytes", options->line_bytes, "Size of a line")->capture_default_str();
    command->add_option("--broker-process", options->broker_process,
                        "Number of the broker's process on this machine, to count its processor time");
    command->add_option("--output", options->output, "Folder for the tables as JSON, Markdown and CSV");
    command->footer("Example:\n  tsumugi experiment cluster --agents 1,16,64 --broker-process $(pidof nats-server)");
    command->callback([options, brokers, &session] {
        const auto settings = fleet::load_connection(*brokers);
        if (!settings) return fail(session, settings.error().message);
        options->brokers = *settings;
        const auto interrupt = base::Interrupt::watch();
        if (!interrupt) return fail(session, interrupt.error().message);
        if (const auto done = experiment::run_cluster(*options, std::cout, (*interrupt)->token()); !done)
            fail(session, done.error().message);
    });
}

}  // namespace

void add_cluster_experiments(CLI::App& experiments, Session& session) {
    add_multiponder(experiments, session);
    add_cluster_scaling(experiments, session);
}

}  // namespace tsumugi::app
