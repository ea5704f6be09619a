// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "arena/match_report.hpp"
#include "report/table.hpp"

namespace tsumugi::arena {

// A row for each engine: limits, depth, nodes, speed, time and failures.
report::Table usage_table(const MatchReport& match);

}  // namespace tsumugi::arena
