// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "arena/match_report.hpp"
#include "report/table.hpp"

// The parts of which reports for people are made, whatever their form.
namespace tsumugi::arena {

// A row for each engine: limits, depth, nodes, speed, time and failures.
report::Table usage_table(const MatchReport& match);
// Engines from the strongest to the weakest.
report::Table rating_table(const MatchReport& match);
// A row for each pairing.
report::Table duel_table(const MatchReport& match);
report::Table opening_table(const MatchReport& match);

// Bounds, ratio and decision of the sequential test, which there must be.
std::string sprt_line(const Standing& standing);
// Results by colour, length, endings.
std::string summary_line(const MatchReport& match);

}  // namespace tsumugi::arena
