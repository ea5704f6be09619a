// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <memory>

#include "app/command.hpp"
#include "experiment/sliders.hpp"

namespace tsumugi::app {
namespace {

void add_sliders(CLI::App& experiments, Session& session) {
    auto options = std::make_shared<experiment::SlidersOptions>();
    CLI::App* command = experiments.add_subcommand(
        "sliders", "Magic numbers and every method for the attacks of lance, bishop and rook (S1, S6)");
    command->alias("S1");
    command->alias("S6");
    command->add_option("--seed", options->seed, "Of the searches for magics and of random games")
        ->capture_default_str();
    command->add_option("--finder-runs", options->finder_runs, "Searches for magics per piece and kind of candidate")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->add_option("--finder-limit", options->finder_limit, "Tries before a search gives up")
        ->capture_default_str();
    command->add_option("--rounds", options->rounds, "Repetitions of every measurement of speed")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->add_option("--even-depth", options->even_depth, "Plies of perft from the start position")
        ->check(CLI::Range(1, 7))
        ->capture_default_str();
    command->add_option("--game-depth", options->game_depth, "Plies of perft from every game position")
        ->check(CLI::Range(1, 5))
        ->capture_default_str();
    command->add_option("--game-count", options->game_count, "Game positions")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->add_option("--positions", options->positions, "File of SFENs, one a line (default: random games)")
        ->check(CLI::ExistingFile);
    command->add_option("--engine-rounds", options->engine_rounds, "Repetitions with the whole engine; 0 for none")
        ->check(CLI::Range(0, 10000))
        ->capture_default_str();
    command
        ->add_option("--engine-nodes", options->engine_nodes, "Nodes of the start position, and of all others together")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--problem-count", options->problem_count, "Positions that the whole engine searches")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->add_option("--net", options->net, "Evaluate with this net instead of the built-in one")
        ->check(CLI::ExistingFile);
    command->add_option("--output", options->output, "Folder for the tables as JSON, Markdown and CSV");
    command->footer("Example:\n  tsumugi experiment sliders --rounds 41 --output results");
    command->callback([options, &session] {
        if (const auto done = experiment::run_sliders(*options, std::cout); !done) fail(session, done.error().message);
    });
}

}  // namespace

void add_experiment_command(CLI::App& program, Session& session) {
    CLI::App* command =
        program.add_subcommand("experiment", "Repeat the experiments of the papers this program is built on");
    command->require_subcommand(1);
    add_sliders(*command, session);
}

}  // namespace tsumugi::app
