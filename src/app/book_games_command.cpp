// SPDX-License-Identifier: GPL-3.0-or-later
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/book_command.hpp"
#include "base/progress.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"
#include "book/game_import.hpp"
#include "record/tool/file_list.hpp"

namespace tsumugi::app {
namespace {

using base::Error;
using base::Result;

struct ImportChoice {
    std::vector<std::string> inputs;
    std::string output;
    std::string workspace;
    std::string ratings;
    std::string watch;
    book::ImportRule rule;
    bool all_moves = false;
    bool overwrite = false;
    std::int64_t least_games = 1;
};

// "30m", "45s", "2h".
Result<std::chrono::seconds> parse_interval(const std::string& text) {
    const auto unit = text.empty() ? ' ' : text.back();
    const int seconds = unit == 's' ? 1 : unit == 'm' ? 60 : unit == 'h' ? 3600 : 0;
    const auto number = base::parse_number<int>(std::string_view(text).substr(0, text.empty() ? 0 : text.size() - 1));
    if (seconds == 0 || !number || *number < 1)
        return Error{Error::Code::syntax, fmt::format("expected an interval such as 45s, 30m or 2h, got '{}'", text)};
    return std::chrono::seconds(*number * seconds);
}

// Everything that can be wrong with the command shows before a workspace is made and games are read.
Result<book::GameImport> open_import(const ImportChoice& choice) {
    if (const auto fine = check_output(choice.output, choice.workspace, choice.overwrite); !fine) return fine.error();
    if (const auto files = record::tool::list_files(choice.inputs); !files) return files.error();
    book::RatingTable ratings;
    if (!choice.ratings.empty()) {
        auto loaded = book::RatingTable::load(choice.ratings);
        if (!loaded) return loaded.error();
        ratings = *std::move(loaded);
    }
    auto import = book::GameImport::open(choice.workspace, choice.rule, std::move(ratings));
    if (!import) return import;
    if (const auto claimed = import->claim(choice.output, choice.overwrite); !claimed) return claimed.error();
    return import;
}

// Reads what is new and writes the book unless it is what it would become.
Result<void> update(book::GameImport& import, const ImportChoice& choice, const std::stop_token& stop) {
    std::optional<base::Progress> progress;
    const auto complain = [&](const std::string& line) {
        if (progress)
            progress->print(line);
        else
            fmt::print(stderr, "{}\n", line);
    };
    const auto report = import.read(
        choice.inputs, complain,
        [&](std::size_t total) {
            if (!progress) progress.emplace("read", total);
            progress->add();
        },
        stop);
    progress.reset();
    if (!report) return report.error();
    const bool waits = choice.rule.winner_only || choice.rule.awaits_ends;
    fmt::print(stderr,
               "{} new files: {} games used ({} moves), {} without an end ({}), {} undecided, {} rated too low or not "
               "at all, {} not usable\n",
               report->files, report->games, report->moves, report->unfinished, waits ? "left for later" : "used too",
               report->undecided, report->rated_low, report->broken);
    if (stop.stop_requested()) {
        fmt::print(stderr, "interrupted; the same command goes on, and writes the book\n");
        return {};
    }
    const auto current = import.is_written(choice.output, choice.least_games);
    if (!current) return current.error();
    if (*current) return {};
    const auto written = import.write(choice.output, choice.least_games, {});
    if (!written) return written.error();
    fmt::print(stderr, "{} positions written to {}\n", *written, choice.output);
    return {};
}

void run(ImportChoice& choice, Session& session) {
    choice.rule.winner_only = !choice.all_moves;
    if (choice.workspace.empty()) choice.workspace = choice.output + ".work";
    std::optional<std::chrono::seconds> interval;
    if (!choice.watch.empty()) {
        const auto parsed = parse_interval(choice.watch);
        if (!parsed) return fail(session, parsed.error().message);
        interval = *parsed;
        choice.rule.awaits_ends = true;
    }
    const auto interrupt = base::Interrupt::watch();
    if (!interrupt) return fail(session, interrupt.error().message);
    const std::stop_token stop = (*interrupt)->token();
    auto import = open_import(choice);
    if (!import) return fail(session, import.error().message);
    std::mutex mutex;
    std::condition_variable_any wake;
    do {
        if (const auto done = update(*import, choice, stop); !done) return fail(session, done.error().message);
        if (!interval) return;
        std::unique_lock lock(mutex);
        wake.wait_for(lock, stop, *interval, [] { return false; });
    } while (!stop.stop_requested());
}

}  // namespace

void add_book_from_games(CLI::App& book, Session& session) {
    auto choice = std::make_shared<ImportChoice>();
    CLI::App* command = book.add_subcommand("from-games", "Make a book of the moves played in game records");
    command->add_option("inputs", choice->inputs, "Files and folders of records (CSA, KIF, KI2, JKF, USI, USEN)")
        ->required();
    command->add_option("-o,--output", choice->output, "Book to write: a .db or .ybb file")->required();
    command->add_flag("--force", choice->overwrite, "Replace a book that was not made from this workspace");
    command->add_option("--workspace", choice->workspace,
                        "Database that remembers what was counted (default: the output with .work added)");
    command
        ->add_option("--rating", choice->rule.lowest_rating,
                     "Use only games in which both players have this rating, by floodgate's comments or --ratings")
        ->capture_default_str();
    command->add_option("--ratings", choice->ratings, "File of names and ratings, one player a line");
    command->add_flag("--all-moves", choice->all_moves, "Also use the moves of losers and of undecided games");
    command->add_option("--plies", choice->rule.plies, "Use so many moves at the start of a game")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->add_option("--min-games", choice->least_games, "Write moves played in so many games")
        ->capture_default_str();
    command->add_option("--watch", choice->watch,
                        "Look for new games again and again at this interval (45s, 30m, 2h), until stopped");
    command->footer(
        "Examples:\n  tsumugi book from-games floodgate/ -o strong.db --rating 4000 --plies 60\n"
        "  tsumugi book from-games floodgate/2026/ -o live.db --rating 4000 --watch 30m\n"
        "Games are counted once: the same command later reads only what is new.");
    command->callback([choice, &session] { run(*choice, session); });
}

}  // namespace tsumugi::app
