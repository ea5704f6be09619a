// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ctime>

namespace tsumugi::experiment {

// Of this process so far: on a busy machine it says more about work than a clock on the wall.
inline double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace tsumugi::experiment
