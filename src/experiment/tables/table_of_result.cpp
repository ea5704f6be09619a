// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/tables/table_of_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "report/statistic.hpp"
#include "search/table.hpp"

namespace tsumugi::experiment::tables {
namespace {

using report::Cell;
using report::Table;
using Samples = std::vector<Measurement>;
using Quantity = double Measurement::*;

std::vector<double> values(const Samples& samples, Quantity quantity) {
    std::vector<double> all;
    for (const Measurement& sample : samples)
        all.push_back(sample.*quantity);
    return all;
}

std::string with_interval(const std::vector<double>& samples, int decimals, bool signs = false) {
    const double mean = report::mean(samples);
    const double half = report::mean_interval(samples).high - mean;
    return signs ? fmt::format("{:+.{}f} ± {:.{}f}", mean, decimals, half, decimals)
                 : fmt::format("{:.{}f} ± {:.{}f}", mean, decimals, half, decimals);
}

// The mean difference, position by position.
std::string difference(const Samples& samples, const Samples& first, Quantity quantity) {
    std::vector<double> differences = values(samples, quantity);
    for (std::size_t i = 0; i < differences.size(); ++i)
        differences[i] -= first[i].*quantity;
    return with_interval(differences, 2, true);
}

struct Change {
    double percent = 0;
    report::Interval interval;
};

// The geometric mean of the ratios, position by position: large trees do not outweigh the others.
Change change(const Samples& samples, const Samples& first, Quantity quantity) {
    std::vector<double> logarithms;
    for (std::size_t i = 0; i < samples.size(); ++i)
        logarithms.push_back(std::log(samples[i].*quantity / first[i].*quantity));
    const auto percent = [](double logarithm) { return 100 * std::expm1(logarithm); };
    const report::Interval interval = report::mean_interval(logarithms);
    return {percent(report::mean(logarithms)), {percent(interval.low), percent(interval.high)}};
}

std::string text(const Change& change) {
    return fmt::format("{:+.1f} [{:+.1f}, {:+.1f}]", change.percent, change.interval.low, change.interval.high);
}

double load(const Subject& subject, double nodes) {
    return nodes / static_cast<double>(search::Table::capacity(subject.contender.settings(subject.kibibytes)));
}

std::string policy_of(const Subject& subject) { return subject.cold ? "cold" : subject.contender.policy_name(); }

NamedTable condition_table(const PositionStudy& study, std::size_t condition, const std::vector<Samples>& results) {
    Table table({"policy", "scheme", "KiB", "nodes per entry", "depth", "iterations", "nodes", "processor ms",
                 "depth, difference", "iterations, difference", "nodes, %", "time, %"});
    std::size_t first = 0;
    for (std::size_t i = 0; i < study.subjects.size(); ++i) {
        const Subject& subject = study.subjects[i];
        if (subject.kibibytes != study.subjects[first].kibibytes) first = i;
        const Samples& samples = results[i];
        const std::vector<double> nodes = values(samples, &Measurement::nodes);
        std::vector<Cell> row{policy_of(subject),
                              subject.contender.scheme_name(),
                              subject.kibibytes,
                              Cell(load(subject, report::mean(nodes)), 2),
                              with_interval(values(samples, &Measurement::depth), 2),
                              with_interval(values(samples, &Measurement::iterations), 2),
                              with_interval(nodes, 0),
                              with_interval(values(samples, &Measurement::milliseconds), 1)};
        if (i != first) {
            const Samples& base = results[first];
            row.emplace_back(difference(samples, base, &Measurement::depth));
            row.emplace_back(difference(samples, base, &Measurement::iterations));
            row.emplace_back(text(change(samples, base, &Measurement::nodes)));
            row.emplace_back(text(change(samples, base, &Measurement::milliseconds)));
        }
        table.add(std::move(row));
    }
    const Condition& here = study.conditions[condition];
    return {fmt::format("positions-{}", condition + 1), fmt::format("Searches of {}", here.text()), std::move(table)};
}

// Table 1 of the paper, where it has a figure: Tac-1 clears its table, Tac-2 alternates between two.
struct Published {
    Condition::Kind kind;
    std::size_t rank;  // among its conditions of this kind
    std::string_view condition;
    std::string_view quantity;
    Quantity measured;
    double unit;  // of ours
    int decimals;
    double cleared;
    double alternating;
};
using enum Condition::Kind;
constexpr auto depth = &Measurement::depth;
constexpr auto rounds = &Measurement::iterations;
constexpr auto tree = &Measurement::nodes;
constexpr auto clock = &Measurement::milliseconds;
constexpr std::array<Published, 18> published{{
    {time, 0, "10 s", "depth", depth, 1, 1, 18.5, 18.6},
    {time, 0, "10 s", "iterations", rounds, 1, 2, 12.27, 12.24},
    {time, 0, "10 s", "10,000 nodes", tree, 1e4, 1, 184.7, 179.8},
    {time, 1, "25 s", "depth", depth, 1, 1, 20.2, 20.1},
    {time, 1, "25 s", "iterations", rounds, 1, 2, 13.14, 13.24},
    {time, 1, "25 s", "10,000 nodes", tree, 1e4, 1, 445.8, 425.7},
    {iterations, 0, "10 iterations", "depth", depth, 1, 1, 15.3, 15.3},
    {iterations, 0, "10 iterations", "10,000 nodes", tree, 1e4, 1, 52.0, 46.7},
    {iterations, 0, "10 iterations", "seconds", clock, 1e3, 2, 9.27, 8.70},
    {iterations, 1, "12 iterations", "depth", depth, 1, 1, 18.6, 18.4},
    {iterations, 1, "12 iterations", "10,000 nodes", tree, 1e4, 1, 275.8, 273.3},
    {iterations, 1, "12 iterations", "seconds", clock, 1e3, 2, 25.46, 25.52},
    {nodes, 0, "1,500,000 nodes", "depth", depth, 1, 1, 18.2, 18.5},
    {nodes, 0, "1,500,000 nodes", "iterations", rounds, 1, 2, 12.03, 12.10},
    {nodes, 0, "1,500,000 nodes", "seconds", clock, 1e3, 2, 18.25, 18.20},
    {nodes, 1, "3,000,000 nodes", "depth", depth, 1, 1, 19.5, 19.4},
    {nodes, 1, "3,000,000 nodes", "iterations", rounds, 1, 2, 12.76, 12.82},
    {nodes, 1, "3,000,000 nodes", "seconds", clock, 1e3, 2, 27.89, 28.23},
}};

// Our condition that stands beside one of the paper: that of the same kind and rank. None if there is none.
std::size_t counterpart(const PositionStudy& study, const Published& row) {
    std::size_t rank = 0;
    for (std::size_t i = 0; i < study.conditions.size(); ++i)
        if (study.conditions[i].kind == row.kind && rank++ == row.rank) return i;
    return study.conditions.size();
}

Cell rounded_mean(const Samples& samples, const Published& row) {
    return {report::mean(values(samples, row.measured)) / row.unit, row.decimals};
}

}  // namespace

std::vector<NamedTable> position_tables(const PositionStudy& study, const Measurements& measurements) {
    std::vector<NamedTable> tables;
    for (std::size_t i = 0; i < study.conditions.size(); ++i)
        tables.push_back(condition_table(study, i, measurements[i]));
    return tables;
}

NamedTable published_positions(const PositionStudy& study, const Measurements& measurements) {
    Table table({"paper", "mean", "Tac-1", "Tac-2", "change, %", "here", "cold", "alternating", "change, % [95 %]"});
    const auto find = [&](auto&& wanted) {
        return static_cast<std::size_t>(std::find_if(study.subjects.begin(), study.subjects.end(), wanted) -
                                        study.subjects.begin());
    };
    const std::size_t cold = find([](const Subject& s) { return s.cold; });
    const std::size_t pair = find([](const Subject& s) { return s.contender.doubled; });
    for (const Published& row : published) {
        std::vector<Cell> cells{row.condition, row.quantity, Cell(row.cleared, row.decimals),
                                Cell(row.alternating, row.decimals),
                                Cell(100 * (row.alternating / row.cleared - 1), 1)};
        const std::size_t here = counterpart(study, row);
        if (here < study.conditions.size() && cold < study.subjects.size() && pair < study.subjects.size()) {
            const Samples& first = measurements[here][cold];
            const Samples& second = measurements[here][pair];
            cells.emplace_back(study.conditions[here].text());
            cells.push_back(rounded_mean(first, row));
            cells.push_back(rounded_mean(second, row));
            cells.emplace_back(text(change(second, first, row.measured)));
        }
        table.add(std::move(cells));
    }
    return {"positions-paper", "Searches of positions, beside the paper's table 1", std::move(table)};
}

Table measurement_table(const PositionStudy& study, const Measurements& measurements) {
    Table table({"condition", "policy", "scheme", "KiB", "position", "depth", "iterations", "nodes", "processor ms"});
    for (std::size_t c = 0; c < study.conditions.size(); ++c)
        for (std::size_t s = 0; s < study.subjects.size(); ++s)
            for (std::size_t p = 0; p < measurements[c][s].size(); ++p) {
                const Subject& subject = study.subjects[s];
                const Measurement& sample = measurements[c][s][p];
                table.add({study.conditions[c].text(), policy_of(subject), subject.contender.scheme_name(),
                           subject.kibibytes, p + 1, Cell(sample.depth, 0), Cell(sample.iterations, 0),
                           Cell(sample.nodes, 0), Cell(sample.milliseconds, 3)});
            }
    return table;
}

NamedTable match_table(const MatchStudy& study, const MatchResults& results) {
    const Contender& first = study.contenders.front();
    Table table(
        {"KiB", "policy", "scheme", "total KiB", "won", "drawn", "lost", "score %", "Elo", "95 % from", "to", "LOS %"});
    for (const MatchCell& cell : results.cells) {
        std::vector<Cell> row{cell.kibibytes,
                              cell.contender.policy_name(),
                              cell.contender.scheme_name(),
                              cell.contender.settings(cell.kibibytes).kibibytes,
                              cell.score.games.wins,
                              cell.score.games.draws,
                              cell.score.games.losses};
        if (const auto elo = cell.score.estimate())
            for (const double number :
                 {100 * elo->score, elo->elo, elo->elo_interval.low, elo->elo_interval.high, 100 * elo->superiority})
                row.emplace_back(number, 1);
        table.add(std::move(row));
    }
    return {"matches",
            fmt::format("Games of {} nodes a move against {} {}{}", study.nodes, first.policy_name(),
                        first.scheme_name(), results.complete ? "" : " (interrupted; the same command goes on)"),
            std::move(table)};
}

NamedTable published_matches() {
    struct Row {
        std::string_view condition;
        double points;
    };
    constexpr double games = 200;
    constexpr std::array<Row, 2> rows{{{"10 s a move", 117}, {"25 s a move", 113.5}}};
    Table table({"paper", "Tac-2", "Tac-1", "score %", "95 % from", "to", "Elo"});
    for (const Row& row : rows) {
        const report::Interval interval = report::wilson_interval(row.points, games);
        table.add({row.condition, Cell(row.points, 1), Cell(games - row.points, 1), Cell(100 * row.points / games, 1),
                   Cell(100 * interval.low, 1), Cell(100 * interval.high, 1),
                   Cell(report::elo_from_score(row.points / games), 1)});
    }
    return {"matches-paper", "The paper's games: alternating against clearing", std::move(table)};
}

}  // namespace tsumugi::experiment::tables
