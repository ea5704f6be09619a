// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "app/book_command.hpp"
#include "app/book_progress.hpp"
#include "base/atomic_file.hpp"
#include "book/file.hpp"
#include "book/line.hpp"
#include "book/tool/check.hpp"
#include "book/tool/difference.hpp"
#include "book/tool/statistics.hpp"
#include "record/sfen.hpp"

namespace tsumugi::app {
namespace {

namespace tool = book::tool;

// Prints lines up to a number, then only counts them.
class Listing {
public:
    explicit Listing(std::size_t most) : most_(most) {}

    void operator()(const std::string& line) {
        if (shown_ < most_) fmt::print("{}\n", line);
        ++shown_;
    }
    void finish() const {
        if (shown_ > most_) fmt::print("… and {} more lines; --show prints more\n", shown_ - most_);
    }

private:
    std::size_t most_;
    std::size_t shown_ = 0;
};

std::string usi_line(const book::Moves& moves) {
    std::string text = "startpos";
    if (!moves.empty()) text += " moves";
    for (const shogi::Move move : moves)
        text += ' ' + record::to_usi(move);
    return text;
}

void run_check(const std::string& file, std::size_t show, Session& session) {
    Listing listing(show);
    BookProgress progress("check");
    const auto report = tool::check(
        file, [&](const std::string& line) { listing(line); }, std::ref(progress));
    progress.finish();
    if (!report) return fail(session, report.error().message);
    listing.finish();
    fmt::print(
        "{} positions, {} moves; {} out of order, {} repeated, {} impossible, {} without moves; {} moves illegal, {} "
        "doubled{}\n",
        report->positions, report->moves, report->out_of_order, report->repeated, report->impossible, report->empty,
        report->illegal, report->doubled, report->malformed ? "; the file could not be read to its end" : "");
    if (!report->omission.empty()) fmt::print("{}\n", report->omission);
    if (!report->clean()) session.exit_code = 1;
}

void add_book_check(CLI::App& book, Session& session) {
    struct Choice {
        std::string file;
        std::size_t show = 20;
    };
    auto choice = std::make_shared<Choice>();
    CLI::App* command = book.add_subcommand("check", "Report everything that is wrong with a book");
    command->add_option("book", choice->file, "Book to read")->required();
    command->add_option("--show", choice->show, "Lines to print at most")->capture_default_str();
    command->footer("Example:\n  tsumugi book check book.db");
    command->callback([choice, &session] { run_check(choice->file, choice->show, session); });
}

struct DiffChoice {
    std::string first;
    std::string second;
    std::size_t show = 100;
    std::size_t memory_mib = 256;
};

void run_diff(const DiffChoice& choice, Session& session) {
    Listing listing(choice.show);
    BookProgress progress("diff");
    const auto report = tool::compare(
        choice.first, choice.second, choice.memory_mib << 20, [&](const std::string& line) { listing(line); },
        std::ref(progress));
    progress.finish();
    if (!report) return fail(session, report.error().message);
    listing.finish();
    for (const std::string& omission : report->omissions)
        fmt::print(stderr, "{}\n", omission);
    fmt::print(
        "{} positions the same; {} only in the first, {} only in the second, {} changed ({} with another best "
        "move)\n",
        report->same, report->only_first, report->only_second, report->changed, report->best_changed);
    if (!report->none()) session.exit_code = 1;
}

void add_diff(CLI::App& book, Session& session) {
    auto choice = std::make_shared<DiffChoice>();
    CLI::App* command = book.add_subcommand("diff", "Show what one book says and another does not");
    command->add_option("first", choice->first, "Book to read")->required();
    command->add_option("second", choice->second, "Book to compare with")->required();
    command->add_option("--show", choice->show, "Lines to print at most")->capture_default_str();
    command->add_option("--memory", choice->memory_mib, "MiB to sort in")->check(CLI::Range(1, 1 << 20));
    command->footer("Example:\n  tsumugi book diff old.db new.ybb\nThe status is 1 when the books differ.");
    command->callback([choice, &session] { run_diff(*choice, session); });
}

void add_book_statistics(CLI::App& book, Session& session) {
    struct Choice {
        std::string file;
        bool json = false;
    };
    auto choice = std::make_shared<Choice>();
    CLI::App* command = book.add_subcommand("stats", "Count positions, moves, plies, values and depths");
    command->add_option("book", choice->file, "Book to read")->required();
    command->add_flag("--json", choice->json, "Print JSON");
    command->footer("Example:\n  tsumugi book stats book.ybb");
    command->callback([choice, &session] {
        BookProgress progress("stats");
        const auto statistics = tool::gather(choice->file, std::ref(progress));
        progress.finish();
        if (!statistics) return fail(session, statistics.error().message);
        if (!statistics->omission.empty()) fmt::print(stderr, "{}\n", statistics->omission);
        fmt::print("{}", choice->json ? statistics->json() : statistics->text());
    });
}

void run_path(const std::string& file, const std::string& where, Session& session) {
    const auto target = named_position(where);
    if (!target) return fail(session, target.error().message);
    const auto opened = book::open_book(file);
    if (!opened) return fail(session, opened.error().message);
    const auto path = book::shortest_path(**opened, target->setup());
    if (!path) return fail(session, path.error().message);
    if (!*path) return fail(session, "no moves of the book lead from the even game to that position");
    fmt::print("{}\n", usi_line(**path));
}

void add_path(CLI::App& book, Session& session) {
    struct Choice {
        std::string file;
        std::string position;
    };
    auto choice = std::make_shared<Choice>();
    CLI::App* command = book.add_subcommand("path", "Find the shortest way through a book to a position");
    command->add_option("book", choice->file, "Book to read")->required();
    command->add_option("position", choice->position, "An SFEN, or 'startpos moves …'")->required();
    command->footer("Example:\n  tsumugi book path book.db 'startpos moves 2g2f 3c3d 7g7f'");
    command->callback([choice, &session] { run_path(choice->file, choice->position, session); });
}

struct ExportChoice {
    std::string file;
    std::string output = "-";
    bool overwrite = false;
    book::LineOptions options;
};

void run_export(const ExportChoice& choice, Session& session) {
    std::error_code problem;
    if (choice.output != "-" && !choice.overwrite && std::filesystem::exists(choice.output, problem))
        return fail(session, fmt::format("{}: exists already; use --force to replace it", choice.output));
    const auto opened = book::open_book(choice.file);
    if (!opened) return fail(session, opened.error().message);
    const auto lines = book::lines(**opened, choice.options);
    if (!lines) return fail(session, lines.error().message);
    std::string text;
    for (const book::Moves& each : *lines)
        text += usi_line(each) + '\n';
    if (choice.output == "-")
        fmt::print("{}", text);
    else if (const auto written = base::write_file(choice.output, text); !written)
        return fail(session, written.error().message);
    fmt::print(stderr, "{} lines\n", lines->size());
}

void add_export(CLI::App& book, Session& session) {
    auto choice = std::make_shared<ExportChoice>();
    CLI::App* command = book.add_subcommand("export", "Write the lines of a book as openings for matches, in USI");
    command->add_option("book", choice->file, "Book to read")->required();
    command->add_option("-o,--output", choice->output, "File to write, or '-' for standard output");
    command->add_flag("--force", choice->overwrite, "Replace a file that exists");
    command->add_option("--plies", choice->options.plies, "Cut lines after so many moves")->capture_default_str();
    command->add_option("--shortest", choice->options.shortest, "Leave out lines that the book ends before")
        ->capture_default_str();
    command->add_option("--most", choice->options.most, "Lines at most")->capture_default_str();
    command->add_option("--eval-limit", choice->options.value_limit, "Follow no move farther from 0 than this");
    command->add_option("--eval-diff", choice->options.value_diff, "Nor one worth so much less than the best");
    command->footer(
        "Example:\n  tsumugi book export book.db -o openings.usi --plies 16 --shortest 16 --eval-limit 100");
    command->callback([choice, &session] { run_export(*choice, session); });
}

}  // namespace

void add_book_inspection(CLI::App& book, Session& session) {
    add_book_check(book, session);
    add_diff(book, session);
    add_book_statistics(book, session);
    add_path(book, session);
    add_export(book, session);
}

}  // namespace tsumugi::app
