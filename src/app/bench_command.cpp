// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/bench.hpp"
#include "app/command.hpp"
#include "base/thread.hpp"

namespace tsumugi::app {
namespace {

struct BenchOptions {
    BenchSettings settings;
    double seconds = 0;  // per position, for the speed test
    bool json = false;
};

nlohmann::ordered_json to_json(const BenchResult& result, const BenchOptions& options) {
    nlohmann::ordered_json report;
    report["evaluation"] = result.evaluation;
    report["threads"] = options.settings.threads;
    report["hash_mib"] = options.settings.table_mib;
    if (options.settings.move_time)
        report["seconds_per_position"] = options.seconds;
    else
        report["depth"] = options.settings.depth;
    for (const BenchResult::Row& row : result.rows)
        report["positions"].push_back({{"name", row.name},
                                       {"nodes", row.nodes},
                                       {"depth", row.depth},
                                       {"seconds", row.seconds},
                                       {"best", row.best}});
    report["nodes"] = result.nodes();
    report["seconds"] = result.seconds();
    report["nodes_per_second"] = result.nodes_per_second();
    return report;
}

void run(const BenchOptions& options, Session& session) {
    const auto print_row = [&](const BenchResult::Row& row) {
        if (!options.json)
            fmt::print("{:<10} {:>12} nodes  depth {:>3}  {:8.3f} s  {:>9.0f} nodes/s  {}\n", row.name, row.nodes,
                       row.depth, row.seconds, static_cast<double>(row.nodes) / row.seconds, row.best);
    };
    const auto result = run_bench(options.settings, print_row);
    if (!result) return fail(session, result.error().message);
    if (options.json)
        fmt::print("{}\n", to_json(*result, options).dump(2));
    else
        fmt::print("evaluation {}\nnodes {}  time {:.3f} s  {:.0f} nodes/s\n", result->evaluation, result->nodes(),
                   result->seconds(), result->nodes_per_second());
}

void add_common_options(CLI::App& command, BenchOptions& options) {
    command.add_option("--threads", options.settings.threads, "Search threads")
        ->check(CLI::Range(1, 512))
        ->capture_default_str();
    command.add_option("--hash", options.settings.table_mib, "Size of the transposition table in MiB")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    command.add_option("--net", options.settings.net, "A net to use instead of the built-in one");
    command.add_flag("--json", options.json, "Print the results as JSON");
}

}  // namespace

void add_bench_command(CLI::App& program, Session& session) {
    auto options = std::make_shared<BenchOptions>();
    CLI::App* command = program.add_subcommand(
        "bench", "Search fixed positions to a fixed depth: a signature of the search, and its speed");
    command->add_option("depth", options->settings.depth, "Plies to search")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    add_common_options(*command, *options);
    command->footer(
        "With one thread the sum of the nodes depends only on the search, the evaluation and the table size: it is\n"
        "the same on every machine and instruction set.\n\nExamples:\n  tsumugi bench\n  tsumugi bench 15 --json");
    command->callback([options, &session] { run(*options, session); });
}

void add_speedtest_command(CLI::App& program, Session& session) {
    auto options = std::make_shared<BenchOptions>();
    options->settings.threads = base::available_cores();
    options->settings.table_mib = 256;
    options->seconds = 2;
    CLI::App* command =
        program.add_subcommand("speedtest", "Measure nodes per second on all cores, for a fixed time per position");
    command->add_option("--seconds", options->seconds, "Seconds per position")
        ->check(CLI::Range(0.01, 3600.0))
        ->capture_default_str();
    add_common_options(*command, *options);
    command->footer("Examples:\n  tsumugi speedtest\n  tsumugi speedtest --threads 1 --seconds 5");
    command->callback([options, &session] {
        options->settings.move_time = std::chrono::milliseconds(static_cast<long>(options->seconds * 1000));
        run(*options, session);
    });
}

}  // namespace tsumugi::app
