// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "experiment/output.hpp"
#include "experiment/tables/match_study.hpp"
#include "experiment/tables/position_study.hpp"

namespace tsumugi::experiment::tables {

// One table for each condition: means with their intervals, and differences to the first subject of the same size
// taken position by position.
std::vector<NamedTable> position_tables(const PositionStudy& study, const Measurements& measurements);

// The first subject that comes cold and the first alternating pair, beside what was published.
NamedTable published_positions(const PositionStudy& study, const Measurements& measurements);

// Every single search, for whoever wants to compute something else.
report::Table measurement_table(const PositionStudy& study, const Measurements& measurements);

NamedTable match_table(const MatchStudy& study, const MatchResults& results);
NamedTable published_matches();

}  // namespace tsumugi::experiment::tables
