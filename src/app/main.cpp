// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "app/command.hpp"
#include "engine/engine.hpp"

namespace tsumugi::app {

void fail(Session& session, const std::string& message) {
    fmt::print(stderr, "tsumugi: {}\n", message);
    session.exit_code = 1;
}

namespace {

int run(int argc, char** argv) {
    CLI::App program("Tsumugi: a shogi engine and the workshop around it");
    program.name("tsumugi");
    program.require_subcommand(0, 1);
    program.set_help_flag("-h,--help", "Show this help; every command has its own");
    program.set_version_flag("--version", engine::program_name, "Show name and version");
    Session session;
    add_usi_command(program, session);
    add_play_command(program, session);
    add_analyze_command(program, session);
    add_mate_command(program, session);
    add_bench_command(program, session);
    add_speedtest_command(program, session);
    add_net_command(program, session);
    add_perft_command(program, session);
    add_moves_command(program, session);
    add_record_command(program, session);
    add_book_command(program, session);
    add_match_command(program, session);
    add_consult_command(program, session);
    add_multiponder_command(program, session);
    add_cluster_command(program, session);
    add_tune_command(program, session);
    add_train_command(program, session);
    add_selfplay_command(program, session);
    add_data_command(program, session);
    add_learn_command(program, session);
    add_experiment_command(program, session);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& outcome) {
        const int status = program.exit(outcome);
        return status == 0 ? 0 : 2;  // the usual status for wrong usage, whatever CLI11 numbers it
    }
    return session.exit_code;
}

}  // namespace
}  // namespace tsumugi::app

// The dispatcher calls this entry of whichever instruction set the processor supports.
extern "C" int tsumugi_main(int argc, char** argv) { return tsumugi::app::run(argc, argv); }
