// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

namespace tsumugi::app {

// What a command leaves behind when it has run.
struct Session {
    int exit_code = 0;
};

// Each command adds itself to the program: its options, its help with examples, and what it does.
void add_analyze_command(CLI::App& program, Session& session);
void add_bench_command(CLI::App& program, Session& session);
void add_book_command(CLI::App& program, Session& session);
void add_cluster_command(CLI::App& program, Session& session);
void add_consult_command(CLI::App& program, Session& session);
void add_data_command(CLI::App& program, Session& session);
void add_experiment_command(CLI::App& program, Session& session);
void add_learn_command(CLI::App& program, Session& session);
void add_match_command(CLI::App& program, Session& session);
void add_mate_command(CLI::App& program, Session& session);
void add_moves_command(CLI::App& program, Session& session);
void add_multiponder_command(CLI::App& program, Session& session);
void add_net_command(CLI::App& program, Session& session);
void add_perft_command(CLI::App& program, Session& session);
void add_play_command(CLI::App& program, Session& session);
void add_record_command(CLI::App& program, Session& session);
void add_selfplay_command(CLI::App& program, Session& session);
void add_speedtest_command(CLI::App& program, Session& session);
void add_train_command(CLI::App& program, Session& session);
void add_tune_command(CLI::App& program, Session& session);
// Also makes it the default: without a command the program is a USI engine.
void add_usi_command(CLI::App& program, Session& session);

// Reports an error the way every command does, on stderr, and makes the program end with status 1.
void fail(Session& session, const std::string& message);

}  // namespace tsumugi::app
