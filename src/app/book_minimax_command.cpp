// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/resource.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "app/book_command.hpp"
#include "app/book_progress.hpp"
#include "base/clock.hpp"
#include "base/text.hpp"
#include "base/thread.hpp"
#include "book/sample_graph.hpp"
#include "book/tool/minimax_book.hpp"

namespace tsumugi::app {
namespace {

namespace tool = book::tool;

void print_summary(const book::Minimax::Summary& summary) {
    fmt::print("{} components, {} positions in circles, the largest component has {}\n", summary.components,
               summary.circular, summary.largest);
}

void run(const tool::MinimaxOptions& options, Session& session) {
    BookProgress progress("minimax");
    const base::Stopwatch watch;
    const auto report = tool::minimax(
        options, [&](const std::string& stage) { progress.begin(stage); }, std::ref(progress));
    progress.finish();
    if (!report) return fail(session, report.error().message);
    for (const std::string& omission : report->omissions)
        fmt::print(stderr, "{}\n", omission);
    fmt::print("{} positions, {} moves ({} inside the book, {} illegal left out) in {}\n", report->positions,
               report->moves, report->inner_moves, report->illegal, base::human_duration(watch.seconds()));
    print_summary(report->summary);
    if (report->silent > 0)
        fmt::print("{} positions say nothing, having no move of known worth: moves to them keep their values\n",
                   report->silent);
    fmt::print("{} positions have another best move than before; memory for the graph {}\n", report->best_changed,
               base::human_bytes(report->bytes));
}

rusage usage() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return used;
}

// Of the processor, which says more than the clock on a busy machine.
double processor_seconds() {
    const rusage used = usage();
    return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

void run_bench(const book::SampleGraph& sample) {
    const base::Stopwatch making;
    const book::Graph graph = book::make_graph(sample);
    fmt::print("{} positions, {} moves, made in {}; the graph takes {}\n", graph.size(), graph.edge_count(),
               base::human_duration(making.seconds()), base::human_bytes(graph.bytes()));
    book::Minimax minimax(graph, {});
    const base::Stopwatch solving;
    const double before = processor_seconds();
    minimax.solve();
    const double busy = processor_seconds() - before;
    print_summary(minimax.summary());
    const auto bytes = graph.bytes() + minimax.bytes();
    fmt::print(
        "solved in {} ({} of the processor, {} positions/s); {} ({:.1f} bytes a position, moves included), peak of "
        "the program {}\n",
        base::human_duration(solving.seconds()), base::human_duration(busy),
        base::human_count(static_cast<double>(graph.size()) / busy), base::human_bytes(bytes),
        static_cast<double>(bytes) / static_cast<double>(graph.size()),
        base::human_bytes(static_cast<std::uint64_t>(usage().ru_maxrss) * 1024));
}

void add_bench(CLI::App& book) {
    auto sample = std::make_shared<book::SampleGraph>();
    CLI::App* command =
        book.add_subcommand("bench-minimax", "Measure time and memory of `minimax` on a generated graph");
    command->add_option("--positions", sample->positions, "Positions of the graph")
        ->check(CLI::Range(2, 1 << 30))
        ->capture_default_str();
    command->add_option("--moves", sample->moves, "Moves of a position")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    command->add_option("--back", sample->back_permille, "Moves in a thousand that lead back and so make circles")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    command->add_option("--seed", sample->seed, "Chooses the graph")->capture_default_str();
    command->footer("Example:\n  tsumugi book bench-minimax --positions 10000000");
    command->callback([sample] { run_bench(*sample); });
}

}  // namespace

void add_book_minimax(CLI::App& book, Session& session) {
    struct Choice {
        std::string input;
        std::string output;
        tool::MinimaxOptions options;
        std::size_t memory_mib = 256;
    };
    auto choice = std::make_shared<Choice>();
    choice->options.threads = base::available_cores();
    CLI::App* command = book.add_subcommand("minimax", "Back the values of a book up from its leaves");
    command->add_option("input", choice->input, "Book to read")->required();
    command->add_option("-o,--output", choice->output, "Book to write: a .db or .ybb file")->required();
    command->add_flag("--force", choice->options.overwrite, "Replace a file that exists");
    command->add_option("--draw-black", choice->options.draw_black, "What a draw is worth to Black using the book")
        ->check(CLI::Range(-30000, 30000))
        ->capture_default_str();
    command->add_option("--draw-white", choice->options.draw_white, "What a draw is worth to White using the book")
        ->check(CLI::Range(-30000, 30000))
        ->capture_default_str();
    command->add_option("--threads", choice->options.threads, "Threads that connect positions (default: all cores)")
        ->check(CLI::Range(1, 1024));
    command->add_option("--memory", choice->memory_mib, "MiB to sort in")->check(CLI::Range(1, 1 << 20));
    command->footer(
        "Example:\n  tsumugi book minimax analysed.db -o book.ybb --draw-black -20 --draw-white 0\n"
        "Repetitions are draws, perpetual check loses. Moves into the book get the value of where they lead.");
    command->callback([choice, &session] {
        choice->options.input = choice->input;
        choice->options.output = choice->output;
        choice->options.writing.budget_bytes = choice->memory_mib << 20;
        run(choice->options, session);
    });
    add_bench(book);
}

}  // namespace tsumugi::app
