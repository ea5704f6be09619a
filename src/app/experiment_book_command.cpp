// SPDX-License-Identifier: GPL-3.0-or-later
#include <functional>
#include <iostream>
#include <memory>

#include "app/experiment_command.hpp"
#include "base/signal.hpp"
#include "base/thread.hpp"
#include "experiment/books.hpp"

namespace tsumugi::app {
namespace {

using experiment::BookDuelOptions;
using experiment::BookMatchOptions;
using experiment::MinimaxBookOptions;

void add_match(CLI::App& command, BookMatchOptions& options) {
    options.concurrency = base::available_cores();
    command.add_option("--games", options.games, "Games of each match, from the start position")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command
        .add_option_function<std::vector<std::string>>(
            "--limit",
            [&options](const std::vector<std::string>& texts) {
                for (const std::string& text : texts) {
                    const auto equals = text.find('=');
                    const auto known = options.allowance.set(
                        text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1));
                    if (!known) throw CLI::ValidationError("--limit", known.error().message);
                    if (!*known) throw CLI::ValidationError("--limit", "expected nodes=…, movetime=… or another limit");
                }
            },
            "Of both players in these games: movetime=100ms, nodes=20000, time=1s byoyomi=20ms, …")
        ->default_str("movetime=100ms");
    command.add_option("--sigma", options.sigma, "Error of both evaluations, another one in every game")
        ->check(CLI::Range(0, 10000))
        ->capture_default_str();
    command.add_option("--concurrency", options.concurrency, "Games at a time; half as many when both players ponder")
        ->check(CLI::Range(1, 1024));
}

void add_duels(CLI::App& command, learn::bookmaking::DuelSettings& duel, std::uint64_t& duels, const char* about) {
    command.add_option("--duels", duels, about)->check(CLI::PositiveNumber)->capture_default_str();
    command.add_option("--nodes", duel.maker_nodes, "Nodes a move of the book's maker")->capture_default_str();
    command.add_option("--opponent-nodes", duel.opponent_nodes, "Nodes a move of his opponents")->capture_default_str();
    command.add_option("--seed", duel.seed, "Another seed gives other games")->capture_default_str();
}

void run(Session& session, const std::function<base::Result<void>(const std::stop_token&)>& work) {
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return fail(session, interrupt.error().message);
    if (const auto done = work((*interrupt)->token()); !done) return fail(session, done.error().message);
    if ((*interrupt)->requested()) std::cerr << "interrupted; the same command goes on\n";
}

void use_usual_limit(BookMatchOptions& options) {
    if (options.allowance.is_empty()) options.allowance.move_time = arena::Milliseconds(100);
}

}  // namespace

void add_book_experiments(CLI::App& experiments, Session& session) {
    auto duel = std::make_shared<BookDuelOptions>();
    CLI::App* command = experiments.add_subcommand("book-duel", "A book made by duels against no book (S3)");
    command->alias("S3");
    command->add_option("--net", duel->net, "Evaluate with this net, or the word material, not with the built-in net");
    command->add_option("--opponent", duel->opponents, "Nets of the opponents of the duels (default: the same net)");
    add_duels(*command, duel->duel, duel->duels, "Duels that the book is made of");
    add_match(*command, duel->match);
    command->add_flag("!--no-ponder", duel->ponder, "Leave out the match in which both ponder");
    command->add_option("--output", duel->output, "Folder of the book, the matches and the tables")->required();
    command->footer(
        "Running the same command again goes on.\n\nExample:\n"
        "  tsumugi experiment book-duel --duels 1000 --games 500 --limit movetime=200ms --output results");
    command->callback([duel, &session] {
        use_usual_limit(duel->match);
        run(session, [&](const std::stop_token& stop) { return run_book_duel(*duel, std::cout, stop); });
    });

    auto minimax = std::make_shared<MinimaxBookOptions>();
    command = experiments.add_subcommand("minimax-book", "A book that grows by rounds, against no book (S9)");
    command->alias("S9");
    command->add_option("--net", minimax->net,
                        "Evaluate with this net, or the word material, not with the built-in net");
    add_duels(*command, minimax->duel, minimax->duels, "Duels of each round");
    command->add_option("--rounds", minimax->rounds, "Rounds")->check(CLI::PositiveNumber)->capture_default_str();
    command->add_option("--positions", minimax->think.positions, "Positions to think about in each round")
        ->capture_default_str();
    command->add_option("--think-nodes", minimax->think.effort.nodes, "Nodes for each of them")->capture_default_str();
    add_match(*command, minimax->match);
    command->add_option("--output", minimax->output, "Folder of the books, the matches and the tables")->required();
    command->footer(
        "Running the same command again goes on.\n\nExample:\n"
        "  tsumugi experiment minimax-book --rounds 5 --duels 200 --positions 1000 --output results");
    command->callback([minimax, &session] {
        use_usual_limit(minimax->match);
        minimax->think.workers = minimax->match.concurrency;
        run(session, [&](const std::stop_token& stop) { return run_minimax_book(*minimax, std::cout, stop); });
    });
}

}  // namespace tsumugi::app
