// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dispatch/cpu.hpp"

namespace tsumugi::dispatch {

bool runs_x86_64_v2() { return false; }
bool runs_x86_64_v3() { return false; }

}  // namespace tsumugi::dispatch
