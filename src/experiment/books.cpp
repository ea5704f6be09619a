// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/books.hpp"

#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/progress.hpp"
#include "eval/net.hpp"
#include "experiment/books/book_match.hpp"
#include "learn/bookmaking/publication.hpp"

namespace tsumugi::experiment {
namespace {

using namespace books;
using base::Error;
using base::Result;
namespace bookmaking = learn::bookmaking;
using Evaluator = std::shared_ptr<const eval::Evaluator>;

Result<bookmaking::Workspace> open_workspace(const std::filesystem::path& folder) {
    if (folder.empty()) return Error{Error::Code::syntax, "name a folder with --output: the book is made there"};
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem) return Error{Error::Code::io, fmt::format("{}: {}", folder.string(), problem.message())};
    return bookmaking::Workspace::open(folder / "book.work");
}

Result<std::vector<bookmaking::Opponent>> load_opponents(const std::vector<std::string>& nets, const Evaluator& own) {
    std::vector<bookmaking::Opponent> opponents;
    for (const std::string& net : nets) {
        auto evaluator = eval::choose_evaluator(net, {});
        if (!evaluator) return evaluator.error();
        opponents.push_back({net, *std::move(evaluator)});
    }
    if (opponents.empty()) opponents.push_back({"itself", own});
    return opponents;
}

Result<void> duel_until(bookmaking::Workspace& workspace, const bookmaking::DuelSettings& settings,
                        const Evaluator& own, const std::vector<bookmaking::Opponent>& opponents, std::uint64_t duels,
                        int workers, const std::stop_token& stop) {
    const auto before = workspace.steps("duel");
    if (!before) return before.error();
    base::Progress progress("duels", duels, *before);
    const auto done = bookmaking::duel(
        workspace, settings, own, opponents, duels, workers,
        [&](const bookmaking::DuelReport& so_far) {
            progress.note(fmt::format("{} without trouble, {} corrected, {} positions", so_far.no_trouble,
                                      so_far.alternatives, workspace.entries().size()));
            progress.add();
        },
        stop);
    return done ? Result<void>() : done.error();
}

Result<void> publish(const bookmaking::Workspace& workspace, const std::filesystem::path& file) {
    bookmaking::Publication publication;
    publication.output = file;
    const auto done = bookmaking::publish(workspace, publication);
    return done ? Result<void>() : done.error();
}

Result<void> finish(const std::filesystem::path& folder, const std::string& name, const nlohmann::json& facts,
                    const NamedTable& table, std::ostream& out) {
    const std::vector<NamedTable> tables{table};
    print(out, tables);
    return write_output(folder, name, facts, tables);
}

}  // namespace

Result<void> run_book_duel(const BookDuelOptions& options, std::ostream& out, const std::stop_token& stop) {
    auto workspace = open_workspace(options.output);
    if (!workspace) return workspace.error();
    auto own = eval::choose_evaluator(options.net, {});
    if (!own) return own.error();
    const auto opponents = load_opponents(options.opponents, *own);
    if (!opponents) return opponents.error();
    if (const auto done =
            duel_until(*workspace, options.duel, *own, *opponents, options.duels, options.match.concurrency, stop);
        !done || stop.stop_requested())
        return done;
    const auto book = options.output / "book.db";
    if (const auto done = publish(*workspace, book); !done) return done;
    MatchTable table;
    table.add("the paper, 5 min + 5 s, pondering", "324-66-113", 74.1, 87.6, 59.7);
    for (const bool ponder : {false, true}) {
        if (ponder && !options.ponder) break;
        const std::string name = ponder ? "pondering" : "not pondering";
        const auto sheet = play({name, book, options.net, ponder, options.output / (ponder ? "ponder" : "plain")},
                                options.match, stop);
        if (!sheet) return sheet.error();
        table.add(fmt::format("{}, {}", options.match.allowance.describe(), name), *sheet);
        if (stop.stop_requested()) break;
    }
    return finish(options.output, "book-duel",
                  {{"duels", options.duels},
                   {"nodes", options.duel.maker_nodes},
                   {"opponent nodes", options.duel.opponent_nodes},
                   {"opponents", options.opponents},
                   {"positions", workspace->entries().size()},
                   {"net", options.net},
                   {"sigma", options.match.sigma}},
                  table.table("matches", "A book made by duels against no book"), out);
}

Result<void> run_minimax_book(const MinimaxBookOptions& options, std::ostream& out, const std::stop_token& stop) {
    auto workspace = open_workspace(options.output);
    if (!workspace) return workspace.error();
    auto own = eval::choose_evaluator(options.net, {});
    if (!own) return own.error();
    const auto opponents = load_opponents({}, *own);
    if (!opponents) return opponents.error();
    // A book of a few thousand positions goes deep only against the kind of opponent that it was made against: in the
    // duels he varies as in the matches, by an error of his evaluation that is another in every game.
    bookmaking::DuelSettings duel = options.duel;
    duel.varied_plies = 0;
    duel.opponent_sigma = options.match.sigma;
    MatchTable table;
    for (std::uint64_t round = 1; round <= options.rounds && !stop.stop_requested(); ++round) {
        const auto done_before = workspace->steps("round");
        if (!done_before) return done_before.error();
        const auto book = options.output / fmt::format("round-{:03}.db", round);
        if (*done_before < round) {
            if (const auto done = duel_until(*workspace, duel, *own, *opponents, round * options.duels,
                                             options.match.concurrency, stop);
                !done)
                return done;
            const auto left = bookmaking::positions_left(*workspace, round, options.think.positions);
            if (!left) return left.error();
            base::Progress progress("positions", options.think.positions, options.think.positions - *left);
            bookmaking::ThinkSettings think = options.think;
            think.positions = *left;
            think.workers = options.match.concurrency;
            const auto thought = bookmaking::think_on(
                *workspace, think, *own, [&] { progress.add(); }, stop);
            if (!thought) return thought.error();
            if (stop.stop_requested()) break;
            if (const auto done = publish(*workspace, book); !done) return done;
            if (const auto done = workspace->add_step("round", std::to_string(round), {}); !done) return done;
        }
        const std::string name = fmt::format("round {}", round);
        // The thinking follows the user's best move only, so beside it the book ends after a move.
        const auto sheet =
            play({name, book, options.net, false, options.output / fmt::format("match-{:03}", round), true},
                 options.match, stop);
        if (!sheet) return sheet.error();
        table.add(name, *sheet);
    }
    return finish(options.output, "minimax-book",
                  {{"rounds", options.rounds},
                   {"duels of a round", options.duels},
                   {"nodes", options.duel.maker_nodes},
                   {"opponent nodes", options.duel.opponent_nodes},
                   {"positions of a round", options.think.positions},
                   {"nodes of a position", options.think.effort.nodes},
                   {"positions", workspace->entries().size()},
                   {"net", options.net},
                   {"sigma", options.match.sigma}},
                  table.table("rounds", "The book of each round against no book"), out);
}

}  // namespace tsumugi::experiment
