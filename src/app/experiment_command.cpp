// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.hpp"

namespace tsumugi::app {

void add_experiment_command(CLI::App& program, Session&) {
    CLI::App* command =
        program.add_subcommand("experiment", "Repeat the experiments of the papers this program is built on");
    command->require_subcommand(1);
}

}  // namespace tsumugi::app
