// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <memory>
#include <vector>

#include "app/experiment_command.hpp"
#include "base/signal.hpp"
#include "experiment/consultation.hpp"
#include "experiment/two_then_third.hpp"

namespace tsumugi::app {
namespace {

// Players as `tsumugi match` describes them, a list of words for each.
struct PlayerWords {
    std::vector<std::vector<std::string>> players;

    [[nodiscard]] base::Result<std::vector<arena::EngineSpec>> specs() const {
        std::vector<arena::EngineSpec> specs;
        for (const auto& words : players) {
            arena::EngineSpec& spec = specs.emplace_back();
            for (const std::string& word : words)
                if (const auto set = spec.set(word); !set) return set.error();
            if (const auto good = spec.check(); !good) return good.error();
        }
        return specs;
    }
};

void add_player_option(CLI::App& command, const char* name, PlayerWords& words, const char* help) {
    command.add_option(name, words.players, help)->type_size(1, 1000)->allow_extra_args();
}

void add_game_options(CLI::App& command, std::uint64_t& games, int& concurrency, std::filesystem::path& openings,
                      std::filesystem::path& output) {
    command.add_option("--games", games, "Games of each pairing")->capture_default_str();
    command.add_option("--concurrency", concurrency, "Games at once; each takes one processor")
        ->check(CLI::Range(1, 512))
        ->capture_default_str();
    command.add_option("--openings", openings, "Where the games begin: positions or games, one a line")
        ->check(CLI::ExistingFile);
    command.add_option("--output", output,
                       "Folder for the tables as JSON, Markdown, CSV and HTML, and for the matches");
}

// Runs an experiment that Ctrl-C ends.
template <typename Run>
void run_until_interrupted(Session& session, Run run) {
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return fail(session, interrupt.error().message);
    if (const auto done = run((*interrupt)->token()); !done) fail(session, done.error().message);
}

void add_group_options(CLI::App& command, experiment::ConsultationOptions& options) {
    command
        .add_option(
            "--parts", options.parts,
            "votes: different moves by noise; majority: players and noise against the plain engine; depth: one\n"
            "player and the most by depth; resources: against more nodes; mixed: different programs; curve: F(p)")
        ->delimiter(',')
        ->capture_default_str();
    command.add_option("--players", options.players, "Sizes of groups")->delimiter(',')->capture_default_str();
    command.add_option("--sigmas", options.sigmas, "Noise as shares of the pawn exchange value")
        ->delimiter(',')
        ->capture_default_str();
    command.add_option("--pawn-exchange", options.pawn_exchange, "That value, in units of score")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--resource-sigma", options.resource_sigma, "Noise of the groups in the part resources")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--nodes", options.nodes, "Nodes a move of a player")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--depths", options.depths, "Depths of the part depth")->delimiter(',')->capture_default_str();
    command.add_option("--net", options.net, "Evaluate with this net, or the word material, not with the built-in net");
    command.add_option("--hash", options.hash_kib, "KiB of the table of each player")
        ->check(CLI::Range(1, 1 << 24))
        ->capture_default_str();
    command.add_flag("--shared-tables", options.shares_tables, "The players of a group have their tables in common");
    command.add_option("--seed", options.seed, "Chooses positions, and decides where votes are equal")
        ->capture_default_str();
}

void add_vote_options(CLI::App& command, experiment::ConsultationOptions& options) {
    command.add_option("--records", options.records, "Game records with positions to vote on: files or folders")
        ->check(CLI::ExistingPath);
    command.add_option("--positions", options.positions, "Positions to vote on, each of another game")
        ->capture_default_str();
    command.add_option("--from", options.from_ply, "First move number that a position may have")->capture_default_str();
    command.add_option("--to", options.to_ply, "Last move number that a position may have")->capture_default_str();
}

void add_consultation(CLI::App& experiments, Session& session) {
    auto options = std::make_shared<experiment::ConsultationOptions>();
    auto members = std::make_shared<PlayerWords>();
    CLI::App* command = experiments.add_subcommand(
        "consultation",
        "Groups that decide by majority: copies of one engine that err differently, and programs (S11)");
    command->alias("S11");
    add_group_options(*command, *options);
    add_game_options(*command, options->games, options->concurrency, options->openings, options->output);
    add_vote_options(*command, *options);
    add_player_option(*command, "--member", *members,
                      "A program of the part mixed, in the words of `tsumugi match --engine`; the others are made as\n"
                      "strong as the first by changing their nodes");
    command
        ->add_option("--balance-games", options->balance_games, "Games of each try to make members equal; 0 for none")
        ->capture_default_str();
    command->footer(
        "Running the same command again continues interrupted matches.\n\nExamples:\n"
        "  tsumugi experiment consultation --parts majority --openings balanced.sfen --output results\n"
        "  tsumugi experiment consultation --parts votes --records records/ --nodes 4000\n"
        "  tsumugi experiment consultation --parts mixed --openings balanced.sfen --output results \\\n"
        "      --member name=gps cmd=gpsusi byoyomi=10s option.LimitDepth=4 \\\n"
        "      --member name=fairy cmd=fairy-stockfish nodes=2000 --member name=own cmd=self nodes=500");
    command->callback([options, members, &session] {
        auto specs = members->specs();
        if (!specs) return fail(session, specs.error().message);
        options->members = *std::move(specs);
        run_until_interrupted(session, [&](const std::stop_token& stop) {
            return experiment::run_consultation(*options, std::cout, stop);
        });
    });
}

void add_two_then_third(CLI::App& experiments, Session& session) {
    auto options = std::make_shared<experiment::TwoThenThirdOptions>();
    auto players = std::make_shared<PlayerWords>();
    CLI::App* command = experiments.add_subcommand(
        "two-then-third", "Two players, and a third only where they differ: agreement by phase, and games (S5)");
    command->alias("S5");
    add_player_option(
        *command, "--player", *players,
        "One of the three, in the words of `tsumugi match --engine`; the first leads, the third is asked\n"
        "where the two differ");
    command->add_option("--records", options->records, "Game records with positions to compare: files or folders")
        ->check(CLI::ExistingPath);
    command->add_option("--positions", options->positions, "Positions of each phase, each of another game; 0 for none")
        ->capture_default_str();
    command->add_option("--phases", options->phases, "Move numbers that phases begin with")
        ->delimiter(',')
        ->check(CLI::Range(2, 10000))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Chooses positions")->capture_default_str();
    add_game_options(*command, options->games, options->concurrency, options->openings, options->output);
    command->footer(
        "Running the same command again continues interrupted matches.\n\nExample:\n"
        "  tsumugi experiment two-then-third --records records/ --games 1000 --openings balanced.sfen \\\n"
        "      --player name=a nodes=2000 option.EvalFile=a.bin --player name=b nodes=2000 option.EvalFile=b.bin \\\n"
        "      --player name=c nodes=2000 option.EvalFile=c.bin --output results");
    command->callback([options, players, &session] {
        auto specs = players->specs();
        if (!specs) return fail(session, specs.error().message);
        options->players = *std::move(specs);
        run_until_interrupted(session, [&](const std::stop_token& stop) {
            return experiment::run_two_then_third(*options, std::cout, stop);
        });
    });
}

}  // namespace

void add_group_experiments(CLI::App& experiments, Session& session) {
    add_consultation(experiments, session);
    add_two_then_third(experiments, session);
}

}  // namespace tsumugi::app
