// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/score_cell.hpp"

namespace tsumugi::experiment {

using report::Cell;

std::vector<std::string> score_columns(std::vector<std::string> first) {
    for (const char* name :
         {"won", "drawn", "lost", "score %", "95 % from", "to", "Elo", "Elo from", "Elo to", "better"})
        first.emplace_back(name);
    return first;
}

void add_score(std::vector<Cell>& row, const Score& score) {
    row.emplace_back(score.games.wins);
    row.emplace_back(score.games.draws);
    row.emplace_back(score.games.losses);
    const auto estimate = score.estimate();
    if (!estimate) return;
    const report::Interval percent = percent_interval(*estimate);
    for (const double number : {100 * estimate->score, percent.low, percent.high, estimate->elo,
                                estimate->elo_interval.low, estimate->elo_interval.high})
        row.emplace_back(number, 1);
    // The marks of the paper: one-sided, at 5 % and 1 %.
    row.emplace_back(estimate->superiority >= 0.99 ? "**" : estimate->superiority >= 0.95 ? "*" : "");
}

report::Interval percent_interval(const report::EloEstimate& estimate) {
    return {100 * report::score_from_elo(estimate.elo_interval.low),
            100 * report::score_from_elo(estimate.elo_interval.high)};
}

}  // namespace tsumugi::experiment
