// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/book_command.hpp"
#include "app/book_progress.hpp"
#include "book/tool/pipeline.hpp"

namespace tsumugi::app {
namespace {

namespace tool = book::tool;

struct ConversionChoice {
    std::vector<std::string> inputs;
    std::string output;
    tool::Pipeline pipeline;
    std::string side;
    std::size_t memory_mib = 256;
};

using SharedChoice = std::shared_ptr<ConversionChoice>;

void run(const std::string& label, ConversionChoice& choice, Session& session) {
    choice.pipeline.inputs.assign(choice.inputs.begin(), choice.inputs.end());
    choice.pipeline.output = choice.output;
    choice.pipeline.options.budget_bytes = choice.memory_mib << 20;
    if (!choice.side.empty())
        choice.pipeline.filter.side = choice.side == "black" ? shogi::Color::black : shogi::Color::white;
    BookProgress progress(label);
    const auto report = tool::run(choice.pipeline, std::ref(progress));
    progress.finish();
    if (!report) return fail(session, report.error().message);
    for (const std::string& omission : report->omissions)
        fmt::print(stderr, "{}\n", omission);
    fmt::print(stderr, "{} positions read, {} left out, {} written to {}\n", report->read, report->left_out,
               report->written, choice.output);
}

CLI::App* add(CLI::App& book, Session& session, const SharedChoice& choice, const std::string& name,
              const std::string& help) {
    CLI::App* command = book.add_subcommand(name, help);
    command->add_option("inputs", choice->inputs, "Books to read")->required();
    command->add_option("-o,--output", choice->output, "Book to write: a .db or .ybb file")->required();
    command->add_flag("--force", choice->pipeline.overwrite, "Replace a file that exists");
    command->add_flag("--best-first", choice->pipeline.options.sort_moves, "Put the best move of a position first");
    command->add_option("--memory", choice->memory_mib, "MiB to sort in; what is more goes to the disk meanwhile")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    command->callback([choice, name, &session] { run(name, *choice, session); });
    return command;
}

void add_book_filter(CLI::App& book, Session& session) {
    const auto choice = std::make_shared<ConversionChoice>();
    CLI::App* command = add(book, session, choice, "filter", "Keep only some positions and moves of a book");
    tool::Filter& filter = choice->pipeline.filter;
    command->add_option("--first-ply", filter.first_ply, "Leave out positions before this move number");
    command->add_option("--last-ply", filter.last_ply, "Leave out positions after this move number");
    command->add_option("--side", choice->side, "Keep positions with this side to move")
        ->check(CLI::IsMember({"black", "white"}));
    command->add_option("--min-depth", filter.least_depth, "Leave out moves found by a shallower search");
    command->add_option("--min-count", filter.least_count, "Leave out moves played less often");
    command->add_option("--min-value", filter.least_value, "Leave out moves worth less than this, in centipawns");
    command->add_option("--max-value", filter.greatest_value, "Leave out moves worth more than this");
    command->add_option("--eval-diff", filter.value_diff, "Leave out moves worth so much less than the best");
    command->add_option("--best", filter.best, "Keep so many moves of a position, the best ones")
        ->check(CLI::PositiveNumber);
    command->add_flag("--legal", filter.legal_only, "Leave out impossible positions and illegal moves");
    command->add_flag("--no-comments", filter.no_comments, "Leave out comments");
    command->footer("Example:\n  tsumugi book filter big.db -o small.ybb --last-ply 40 --best 1 --min-depth 20");
}

}  // namespace

void add_book_convert(CLI::App& book, Session& session) {
    add(book, session, std::make_shared<ConversionChoice>(), "convert", "Convert a book to another format")
        ->footer("Examples:\n  tsumugi book convert book.bin -o book.db\n  tsumugi book convert book.db -o book.ybb");
    add(book, session, std::make_shared<ConversionChoice>(), "sort",
        "Put positions in order and join repeated ones, so that the file can be searched on the disk")
        ->footer("Example:\n  tsumugi book sort book.db -o sorted.db");
    const auto merged = std::make_shared<ConversionChoice>();
    CLI::App* merge = add(book, session, merged, "merge",
                          "Join books: where two speak of the same move the one named first is right");
    merge->add_flag("--add-counts", merged->pipeline.options.add_counts, "Add up how often a move was played");
    merge->footer("Example:\n  tsumugi book merge mine.db theirs.ybb games.sbk -o all.ybb");
    add_book_filter(book, session);
}

}  // namespace tsumugi::app
