// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "experiment/planned_match.hpp"
#include "report/table.hpp"

namespace tsumugi::experiment {

// The columns that every table of games ends with, and the cells of a score below them.
std::vector<std::string> score_columns(std::vector<std::string> first);
void add_score(std::vector<report::Cell>& row, const Score& score);

// The score in percent with its error bar, for charts. Only of games that were played.
report::Interval percent_interval(const report::EloEstimate& estimate);

}  // namespace tsumugi::experiment
