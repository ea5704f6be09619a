// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "think/player.hpp"

namespace tsumugi::app {

// Serves a group of players as a USI engine on stdin and stdout until it is told to quit.
void serve_group(think::Player& group);

}  // namespace tsumugi::app
