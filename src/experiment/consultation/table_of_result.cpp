// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/consultation/table_of_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "experiment/consultation/majority_curve.hpp"
#include "experiment/score_cell.hpp"
#include "report/statistic.hpp"

namespace tsumugi::experiment::consultation {
namespace {

using report::Cell;
using report::Table;

// Positions with more different moves than this are counted together.
constexpr std::size_t most_columns = 6;

Cell percent(std::uint64_t part, std::uint64_t whole) {
    return Cell(whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole), 1);
}

report::Point point_of(double x, const Score& score) {
    const auto estimate = score.estimate();
    // A point that is no number is not drawn.
    if (!estimate) return {x, std::nan("")};
    return {x, 100 * estimate->score, percent_interval(*estimate)};
}

void add_point(report::Chart& chart, const std::string& name, const report::Point& point) {
    auto found = std::find_if(chart.series.begin(), chart.series.end(),
                              [&](const report::Series& each) { return each.name == name; });
    if (found == chart.series.end()) found = chart.series.insert(chart.series.end(), report::Series{name, {}});
    found->points.push_back(point);
}

NamedTable pairing_table(std::string key, std::string title, std::span<const Pairing> pairings) {
    Table table(score_columns({"player", "against"}));
    for (const Pairing& pairing : pairings) {
        std::vector<Cell> row{pairing.first, pairing.second};
        add_score(row, pairing.score);
        table.add(std::move(row));
    }
    return {std::move(key), std::move(title), std::move(table)};
}

}  // namespace

NamedTable published() {
    struct Statement {
        std::string_view about;
        std::string_view figure;
    };
    constexpr std::array<Statement, 9> statements{{
        {"pawn exchange value of Bonanza, and the four noises", "202; 25, 50, 101, 202"},
        {"positions on which 16 players differ, noise 1/8", "50 %"},
        {"one noisy player: 1/8", "not weaker"},
        {"one noisy player: 1/4", "as strong with enough search"},
        {"one noisy player: 1/2 and 1", "clearly weaker, less so with more search"},
        {"best group of Bonanza, 400,000 nodes a player", "8 players, noise 1/4"},
        {"won of 1,000 for 5 % and 1 %", "527, 537"},
        {"three programs against the best of them", "64.26 %"},
        {"a group against as many nodes in one search", "the one search is better"},
    }};
    Table table({"the paper on", "figure"});
    for (const Statement& each : statements)
        table.add({each.about, each.figure});
    return {"paper", "What the paper (Ito et al. 2011) reports in its text", std::move(table)};
}

NamedTable vote_table(const Setting& setting, int players, std::uint64_t nodes, std::span<const VoteCount> counts) {
    std::vector<std::string> columns{"noise", "sigma", "positions"};
    const std::size_t separate = std::min(most_columns, static_cast<std::size_t>(players));
    for (std::size_t i = 1; i <= separate; ++i)
        columns.push_back(fmt::format("{}{} %", i, i == separate && static_cast<std::size_t>(players) > i ? "+" : ""));
    for (const char* name : {"moves", "split %", "95 % from", "to", "votes as plain %", "decided as plain %"})
        columns.emplace_back(name);
    Table table(std::move(columns));
    for (const VoteCount& count : counts) {
        std::vector<Cell> row{fraction(count.sigma), Cell(count.sigma * setting.pawn_exchange, 0), count.positions};
        std::uint64_t rest = count.positions;
        for (std::size_t i = 0; i < separate; ++i) {
            const std::uint64_t here = i + 1 == separate ? rest : count.by_moves[i];
            rest -= here;
            row.push_back(percent(here, count.positions));
        }
        const std::uint64_t split = count.positions - count.by_moves.front();
        const auto interval = report::wilson_interval(static_cast<double>(split), static_cast<double>(count.positions));
        row.emplace_back(count.mean_moves(), 2);
        row.push_back(percent(split, count.positions));
        row.emplace_back(100 * interval.low, 1);
        row.emplace_back(100 * interval.high, 1);
        row.push_back(percent(count.voted_as_plain, count.positions * static_cast<std::uint64_t>(players)));
        row.push_back(percent(count.decided_as_plain, count.positions));
        table.add(std::move(row));
    }
    return {"votes",
            fmt::format("Different moves that {} players vote for, {} nodes each, {} tables", players, nodes,
                        setting.shares_tables ? "shared" : "separate"),
            std::move(table)};
}

NamedTable exchange_table(const std::vector<double>& exchanges, double used) {
    Table table({"pawns exchanged", "mean", "95 % from", "to", "median", "used here"});
    if (exchanges.size() >= 2) {
        const report::Interval interval = report::mean_interval(exchanges);
        table.add({exchanges.size(), Cell(report::mean(exchanges), 1), Cell(interval.low, 1), Cell(interval.high, 1),
                   Cell(report::median(exchanges), 1), Cell(used, 0)});
    }
    return {"exchange", "What the net makes of a pawn that changes hands", std::move(table)};
}

NamedTable contest_table(const Setting& setting, const Contest& contest, const MatchResult& result) {
    Table table(score_columns({"players", "noise", "sigma", "a player"}));
    for (std::size_t i = 0; i < result.scores.size(); ++i) {
        const Entrant& entrant = contest.entrants[i + 1];
        std::vector<Cell> row{entrant.players, entrant.sigma > 0 ? fraction(entrant.sigma) : "none",
                              Cell(entrant.sigma * setting.pawn_exchange, 0), entrant.allowance.describe()};
        add_score(row, result.scores[i]);
        table.add(std::move(row));
    }
    return {contest.key, contest.title + (result.complete ? "" : " (interrupted; the same command goes on)"),
            std::move(table)};
}

report::Chart majority_chart(const Contest& contest, const MatchResult& result) {
    report::Chart chart;
    chart.title = contest.title;
    chart.x_label = "players";
    chart.y_label = "score, %";
    for (std::size_t i = 0; i < result.scores.size(); ++i) {
        const Entrant& entrant = contest.entrants[i + 1];
        add_point(chart, "noise " + fraction(entrant.sigma), point_of(entrant.players, result.scores[i]));
    }
    return chart;
}

report::Chart depth_chart(std::span<const Contest> contests, std::span<const MatchResult> results) {
    report::Chart chart;
    chart.title = "Against the plain engine at the same depth";
    chart.x_label = "depth";
    chart.y_label = "score, %";
    for (std::size_t c = 0; c < results.size(); ++c)
        for (std::size_t i = 0; i < results[c].scores.size(); ++i) {
            const Entrant& entrant = contests[c].entrants[i + 1];
            add_point(chart, fmt::format("{} x {}", entrant.players, fraction(entrant.sigma)),
                      point_of(entrant.allowance.depth.value_or(0), results[c].scores[i]));
        }
    return chart;
}

std::vector<NamedTable> mixed_tables(const MixedResults& results) {
    std::vector<NamedTable> tables;
    Table trials(score_columns({"member", "nodes"}));
    for (const Trial& trial : results.trials) {
        std::vector<Cell> row{trial.name, trial.nodes};
        add_score(row, trial.score);
        trials.add(std::move(row));
    }
    tables.push_back({"mixed-trials", "The search for equal members: against the first", std::move(trials)});
    tables.push_back(pairing_table("mixed-members", "The members against each other", results.pairings));
    tables.push_back(pairing_table("mixed-group", "The group against its members, the strongest first", results.group));
    return tables;
}

NamedTable curve_table() {
    Table table({"p", "3 or 4 players", "7 or 8", "15 or 16"});
    for (const double p : {0.4, 0.5, 0.6, 0.7, 0.8, 0.9})
        table.add(
            {Cell(p, 1), Cell(majority_rate(p, 3), 3), Cell(majority_rate(p, 7), 3), Cell(majority_rate(p, 15), 3)});
    return {"curve", "F(p): the majority of independent players, each right with probability p", std::move(table)};
}

}  // namespace tsumugi::experiment::consultation
