// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command.hpp"

namespace tsumugi::app {

// What `tsumugi train` can do besides nets.
void add_train_threatmate_command(CLI::App& train, Session& session);

}  // namespace tsumugi::app
