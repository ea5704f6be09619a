// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "app/bench.hpp"
#include "app/command.hpp"
#include "app/evaluation_table.hpp"
#include "app/gui_pipes.hpp"
#include "base/text.hpp"
#include "base/thread.hpp"
#include "engine/engine.hpp"

namespace tsumugi::app {
namespace {

using protocol::UsiServer;

void print_bench(const BenchSettings& settings, const UsiServer::Call& call) {
    const auto result = run_bench(settings, [&](const BenchResult::Row& row) {
        call.print(fmt::format("{:<10} {:>12} nodes  depth {:>3}  {:8.3f} s  {}", row.name, row.nodes, row.depth,
                               row.seconds, row.best));
    });
    if (!result) return call.print("info string Error: " + result.error().message);
    call.print(fmt::format("nodes {}  time {:.3f} s  {:.0f} nodes/s", result->nodes(), result->seconds(),
                           result->nodes_per_second()));
}

// The current net and, for the speed test, threads and hash, as set by options.
BenchSettings bench_settings(engine::Engine& engine) {
    BenchSettings settings;
    settings.net = engine.options().text("EvalFile");
    return settings;
}

void bench(engine::Engine& engine, const UsiServer::Call& call) {
    BenchSettings settings = bench_settings(engine);
    if (!call.arguments.empty()) {
        const auto depth = base::parse_number<int>(call.arguments, 1, 100);
        if (!depth) return call.print("info string Error: bench DEPTH: " + depth.error().message);
        settings.depth = *depth;
    }
    print_bench(settings, call);
}

void speedtest(engine::Engine& engine, const UsiServer::Call& call) {
    BenchSettings settings = bench_settings(engine);
    settings.threads = static_cast<int>(engine.options().spin("Threads"));
    settings.table_mib = static_cast<int>(engine.options().spin("USI_Hash"));
    settings.move_time = std::chrono::milliseconds(2000);
    if (!call.arguments.empty()) {
        const auto milliseconds = base::parse_number<int>(call.arguments, 1, 3'600'000);
        if (!milliseconds)
            return call.print("info string Error: speedtest MILLISECONDS: " + milliseconds.error().message);
        settings.move_time = std::chrono::milliseconds(*milliseconds);
    }
    print_bench(settings, call);
}

void evaluate(engine::Engine& engine, const UsiServer::Call& call) {
    if (const auto ready = engine.prepare(); !ready) call.print("info string Error: " + ready.error().message);
    call.print(evaluation_table(*engine.evaluator(), call.position));
}

void run_usi() {
    GuiPipes gui;
    engine::Engine engine;
    UsiServer server(engine, gui.output());
    server.add_command(
        {"eval", "static evaluation, piece by piece", [&](const auto& call) { evaluate(engine, call); }});
    server.add_command(
        {"bench", "[DEPTH]: nodes and speed on fixed positions", [&](const auto& call) { bench(engine, call); }});
    server.add_command({"speedtest", "[MILLISECONDS]: speed with the present Threads and USI_Hash",
                        [&](const auto& call) { speedtest(engine, call); }});
    if (::isatty(STDIN_FILENO) == 1)
        fmt::print(stderr,
                   "{}: waiting for USI commands; `help` lists them, `tsumugi --help` shows the other commands\n",
                   engine.name());
    gui.serve(server);
}

}  // namespace

void add_usi_command(CLI::App& program, Session&) {
    CLI::App* command = program.add_subcommand("usi", "Serve as a USI engine (what happens without a command)");
    command->footer(
        "Register the program in a GUI as it is. Besides USI the console understands d, moves, eval, perft, bench,\n"
        "speedtest, getoption and help.\n\nExample:\n  printf 'd\\nmoves\\nperft 4\\n' | tsumugi");
    command->callback(run_usi);
    program.final_callback([&program] {
        if (program.get_subcommands().empty()) run_usi();
    });
}

}  // namespace tsumugi::app
