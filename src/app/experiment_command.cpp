// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/experiment_command.hpp"

#include <iostream>
#include <memory>
#include <vector>

#include "base/signal.hpp"
#include "base/thread.hpp"
#include "experiment/quiescence.hpp"
#include "experiment/scaling.hpp"
#include "experiment/sliders.hpp"
#include "experiment/tables.hpp"

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

void add_tables_subjects(CLI::App& command, experiment::TablesOptions& options) {
    command
        .add_option("--policies", options.policies,
                    "Clearing, Alternating, Ageing, or Alternating:DEPTH (the older table is asked from there on)")
        ->delimiter(',')
        ->capture_default_str();
    command
        .add_option("--schemes", options.schemes,
                    "Modern, Deep, New, Old, Big1, BigAll, TwoDeep, TwoBig, ThreeSlot, or all")
        ->delimiter(',')
        ->capture_default_str();
    command.add_option("--sizes", options.kibibytes, "KiB of a single table")
        ->delimiter(',')
        ->check(CLI::Range(1, 1 << 29))
        ->capture_default_str();
    command.add_option("--net", options.net, "Evaluate with this net, or the word material, not with the built-in net");
    command.add_option("--seed", options.seed, "Chooses games and positions")->capture_default_str();
    command.add_option("--output", options.output,
                       "Folder for the tables as JSON, Markdown and CSV, and for the matches");
}

void add_tables_searches(CLI::App& command, experiment::TablesOptions& options) {
    command.add_option("--positions", options.positions, "Positions to search, each of another game; 0 for none")
        ->capture_default_str();
    command.add_option("--games", options.games, "Game records to take them from: files or folders")
        ->check(CLI::ExistingPath);
    command.add_option("--from", options.from_ply, "First move number that a position may have")->capture_default_str();
    command.add_option("--to", options.to_ply, "Last move number that a position may have")->capture_default_str();
    const auto add = [&](const char* name, std::vector<std::uint64_t>& amounts, const char* help) {
        command.add_option(name, amounts, help)->delimiter(',')->capture_default_str();
    };
    add("--times", options.times, "Searches of so many milliseconds; 0 for none");
    add("--iterations", options.iterations, "Searches of this depth; 0 for none");
    add("--nodes", options.nodes, "Searches of so many nodes; 0 for none");
}

void add_tables_matches(CLI::App& command, experiment::TablesOptions& options) {
    command
        .add_option("--match-games", options.match_games,
                    "Games of every policy and scheme against the first; 0 for none")
        ->capture_default_str();
    command.add_option("--match-nodes", options.match_nodes, "Nodes a move in these games")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--concurrency", options.concurrency, "Games at once")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command.add_option("--openings", options.openings, "Where the games begin: positions or games, one a line")
        ->check(CLI::ExistingFile);
}

void add_tables(CLI::App& experiments, Session& session) {
    auto options = std::make_shared<experiment::TablesOptions>();
    CLI::App* command = experiments.add_subcommand(
        "tables", "What transposition tables keep from move to move: two that alternate, ageing, clearing (S2)");
    command->alias("S2");
    add_tables_subjects(*command, *options);
    add_tables_searches(*command, *options);
    add_tables_matches(*command, *options);
    command->footer(
        "Running the same command again continues interrupted matches.\n\nExamples:\n"
        "  tsumugi experiment tables --games records/ --sizes 512,16384 --output results\n"
        "  tsumugi experiment tables --positions 0 --match-games 1000 --openings balanced.sfen --sizes 64,4096 \\\n"
        "      --policies Clearing,Alternating,Ageing --output results");
    command->callback([options, &session] {
        const auto interrupt = base::Interrupt::watch();
        if (!interrupt) return fail(session, interrupt.error().message);
        if (const auto done = experiment::run_tables(*options, std::cout, (*interrupt)->token()); !done)
            fail(session, done.error().message);
    });
}

void add_quiescence_positions(CLI::App& command, experiment::QuiescenceOptions& options) {
    command
        .add_option("--positions", options.positions, "Positions of games, one of each if there are enough; 0 for none")
        ->capture_default_str();
    command
        .add_option("--games", options.games,
                    "Game records (files or folders) and archives to take them from, the first named first")
        ->check(CLI::ExistingPath);
    command.add_option("--from", options.from_ply, "Moves of a game before a position is taken")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    command.add_option("--depth", options.depth, "Deepest search; every depth up to it is measured")
        ->check(CLI::Range(1, 8))
        ->capture_default_str();
    command
        .add_option("--score-limit", options.score_limit, "Centipawns at which scores are cut off, so that mates count")
        ->check(CLI::Range(1, 32000))
        ->capture_default_str();
    command.add_option("--threads", options.threads, "Positions searched at once")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
}

void add_quiescence_problems(CLI::App& command, experiment::QuiescenceOptions& options) {
    command
        .add_option("--problems", options.problems,
                    "Tables of problems for the engine: name, SFEN and answer, with tabs between them")
        ->check(CLI::ExistingFile);
    command.add_option("--problem-depths", options.problem_depths, "Search problems to these depths; 0 for none")
        ->delimiter(',')
        ->capture_default_str();
    command.add_option("--problem-nodes", options.problem_nodes, "Search problems with so many nodes; 0 for none")
        ->delimiter(',')
        ->capture_default_str();
}

void add_quiescence(CLI::App& experiments, Session& session) {
    auto options = std::make_shared<experiment::QuiescenceOptions>();
    options->threads = base::available_cores();
    CLI::App* command = experiments.add_subcommand(
        "quiescence", "Which moves quiescence search should look at: policies against full-width search (S12)");
    command->alias("S12");
    command->add_option("--policies", options->policies, "As in the USI option QuiescencePolicy")
        ->delimiter(',')
        ->capture_default_str();
    add_quiescence_positions(*command, *options);
    add_quiescence_problems(*command, *options);
    command->add_option("--net", options->net,
                        "Evaluate with this net, or the word material, not with the built-in net");
    command->add_option("--seed", options->seed, "Chooses the positions, and teaches how moves are rated")
        ->capture_default_str();
    command->add_option("--output", options->output,
                        "Folder for the charts as HTML, the tables as JSON, Markdown and CSV, and the searches");
    command->footer(
        "Running the same command again with the same folder goes on with interrupted searches.\n\nExamples:\n"
        "  tsumugi experiment quiescence --games records/ selfplay.tsa --output results\n"
        "  tsumugi experiment quiescence --positions 0 --problems problems.tsv --policies SEE,SKEP,Rating,All");
    command->callback([options, &session] {
        const auto interrupt = base::Interrupt::watch();
        if (!interrupt) return fail(session, interrupt.error().message);
        if (const auto done = experiment::run_quiescence(*options, std::cout, (*interrupt)->token()); !done)
            fail(session, done.error().message);
    });
}

void add_scaling(CLI::App& experiments, Session& session) {
    auto options = std::make_shared<experiment::ScalingOptions>();
    options->concurrency = base::available_cores();
    CLI::App* command =
        experiments.add_subcommand("scaling", "What more nodes and more threads are worth to this program");
    command->add_option("--nodes", options->nodes, "Nodes a move, each against the number before; 0 for none")
        ->delimiter(',')
        ->capture_default_str();
    command->add_option("--games", options->games, "Games of each of these steps; the last number goes for the rest")
        ->delimiter(',')
        ->capture_default_str();
    command->add_option("--threads", options->threads, "Threads, each against the first, at equal time: 1,2,4")
        ->delimiter(',')
        ->check(CLI::Range(1, 1024));
    command->add_option("--thread-games", options->thread_games, "Games of each of these")->capture_default_str();
    command->add_option("--move-time", options->move_time, "Milliseconds a move where threads are compared")
        ->check(CLI::Range(1, 3600000))
        ->capture_default_str();
    command->add_option("--net", options->net,
                        "Evaluate with this net, or the word material, not with the built-in net");
    command->add_option("--hash", options->hash_mib, "MiB of every player's table")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    command->add_option("--openings", options->openings, "Where the games begin: positions or games, one a line")
        ->check(CLI::ExistingFile);
    command->add_option("--seed", options->seed, "Of the order of the openings")->capture_default_str();
    command->add_option("--concurrency", options->concurrency, "Games at once; one where threads are compared")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command->add_option("--output", options->output,
                        "Folder for the chart as HTML and SVG, the tables as JSON, Markdown and CSV, and the matches");
    command->footer(
        "Running the same command again with the same folder goes on with interrupted matches.\n\nExamples:\n"
        "  tsumugi experiment scaling --openings balanced.sfen --games 400,400,200,100 --output results\n"
        "  tsumugi experiment scaling --nodes 0 --threads 1,2,4 --openings balanced.sfen --output results");
    command->callback([options, &session] {
        if (options->nodes == std::vector<std::uint64_t>{0}) options->nodes.clear();
        const auto interrupt = base::Interrupt::watch();
        if (!interrupt) return fail(session, interrupt.error().message);
        if (const auto done = experiment::run_scaling(*options, std::cout, (*interrupt)->token()); !done)
            fail(session, done.error().message);
    });
}

}  // namespace

void add_experiment_command(CLI::App& program, Session& session) {
    CLI::App* command =
        program.add_subcommand("experiment", "Repeat the experiments of the papers this program is built on");
    command->require_subcommand(1);
    add_sliders(*command, session);
    add_tables(*command, session);
    add_book_experiments(*command, session);
    add_group_experiments(*command, session);
    add_cluster_experiments(*command, session);
    add_quiescence(*command, session);
    add_scaling(*command, session);
}

}  // namespace tsumugi::app
