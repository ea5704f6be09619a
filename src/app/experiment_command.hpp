// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command.hpp"

// The experiments that have a file of their own.

namespace tsumugi::app {

void add_book_experiments(CLI::App& experiments, Session& session);
void add_cluster_experiments(CLI::App& experiments, Session& session);
void add_group_experiments(CLI::App& experiments, Session& session);

}  // namespace tsumugi::app
