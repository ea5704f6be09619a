// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "experiment/consultation/line_up.hpp"
#include "experiment/consultation/mixed_study.hpp"
#include "experiment/consultation/vote_study.hpp"
#include "experiment/output.hpp"
#include "report/chart.hpp"

namespace tsumugi::experiment::consultation {

// What the paper says in figures, in the order of its chapters.
NamedTable published();

NamedTable vote_table(const Setting& setting, int players, std::uint64_t nodes, std::span<const VoteCount> counts);
// What the net itself says about the value that noise is measured in.
NamedTable exchange_table(const std::vector<double>& exchanges, double used);

NamedTable contest_table(const Setting& setting, const Contest& contest, const MatchResult& result);
// Scores over the number of players, a line for each noise.
report::Chart majority_chart(const Contest& contest, const MatchResult& result);
// Scores over the depth, a line for each noise and number of players.
report::Chart depth_chart(std::span<const Contest> contests, std::span<const MatchResult> results);

std::vector<NamedTable> mixed_tables(const MixedResults& results);
NamedTable curve_table();

}  // namespace tsumugi::experiment::consultation
