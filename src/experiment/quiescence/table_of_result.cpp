// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/quiescence/table_of_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "experiment/quiescence/position.hpp"
#include "report/statistic.hpp"

namespace tsumugi::experiment::quiescence {
namespace {

using report::Cell;
using report::Table;

constexpr auto every = [](const Finding&) { return true; };
constexpr std::array<Phase, 3> phases{Phase::opening, Phase::middle, Phase::end};

std::string_view name_of(Phase phase) { return phase_names[static_cast<std::size_t>(phase)]; }

auto in(Phase phase) {
    return [phase](const Finding& finding) { return phase_of(finding.progress) == phase; };
}

// Table 3 of the paper, where it has a figure; its unit is that of another evaluation.
struct Published {
    std::string_view policy;
    double average;
    double deviation;
    double nodes;
};
constexpr double published_positions = 83'631;
constexpr double published_full_width = 976'379'285;
constexpr std::array<Published, 12> published{{
    {"Eval", -2433.47, 199156.38, 83631},
    {"SEE", -27.73, 91671.75, 729561},
    {"Capture", 490.43, 77737.00, 2580038},
    {"King", 361.77, 179778.89, 411554},
    {"Escape", 1549.51, 140139.31, 7248201},
    {"Promote", -3717.29, 228665.21, 595642},
    {"SKEP", 770.57, 58271.28, 24671407},
    {"SEE+Escape", 331.58, 70370.71, 12759303},
    {"Check", -1467.41, 182957.99, 674805},
    {"Threatmate", -1286.51, 190128.08, 119078},
    {"SEE+Check", -140.65, 87127.92, 2015238},
    {"SEE+Threatmate", -70.29, 89809.63, 1456588},
}};

// Those whose share of the best moves is shown.
constexpr std::array<std::string_view, 8> shown_categories{"SEE",     "Capture", "King", "Escape",
                                                           "Promote", "Check",   "SKEP", "Threatmate"};

double share_of(std::span<const Finding* const> findings, std::string_view category) {
    const auto count = std::count_if(findings.begin(), findings.end(), [&](const Finding* each) {
        return std::find(each->categories.begin(), each->categories.end(), category) != each->categories.end();
    });
    return 100 * static_cast<double>(count) / static_cast<double>(findings.size());
}

}  // namespace

Results::Results(const Study& study, std::span<const Finding> findings, int score_limit)
    : study_(study), findings_(findings), score_limit_(score_limit), all_(place_of(search::QuiescencePolicy::all)) {}

std::size_t Results::place_of(search::QuiescencePolicy policy) const {
    const auto& all = study_.policies;
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), policy) - all.begin());
}

int Results::limited(int value) const { return std::clamp(value, -score_limit_, score_limit_); }

template <typename Wanted>
Results::Sums Results::sums(std::size_t policy, int depth, Reference reference, Wanted&& wanted) const {
    const auto at = static_cast<std::size_t>(depth - 1);
    std::vector<double> differences;
    double nodes = 0;
    for (const Finding& finding : findings_) {
        if (!wanted(finding)) continue;
        const Measurement& measured = finding.policies[policy][at];
        const Measurement& compared =
            reference == Reference::full_width ? finding.full_width[at] : finding.policies[all_][at];
        differences.push_back(limited(measured.value) - limited(compared.value));
        nodes += static_cast<double>(measured.nodes);
    }
    Sums sums;
    if (differences.empty()) return sums;
    sums.mean = report::mean(differences);
    sums.deviation = report::standard_deviation(differences);
    if (differences.size() > 1) sums.error = report::mean_interval(differences).high - sums.mean;
    sums.nodes = nodes / static_cast<double>(differences.size());
    return sums;
}

template <typename Wanted>
double Results::full_width_nodes(int depth, Wanted&& wanted) const {
    double nodes = 0;
    std::size_t count = 0;
    for (const Finding& finding : findings_) {
        if (!wanted(finding)) continue;
        nodes += static_cast<double>(finding.full_width[static_cast<std::size_t>(depth - 1)].nodes);
        ++count;
    }
    return count == 0 ? 0 : nodes / static_cast<double>(count);
}

NamedTable Results::depth_table(int depth) const {
    Table table(
        {"policy", "mean", "±", "deviation", "mean, to All", "±, to All", "deviation, to All", "nodes a position"});
    for (std::size_t i = 0; i < study_.policies.size(); ++i) {
        std::vector<Cell> row{quiescence::name_of(study_.policies[i])};
        for (const Reference reference : {Reference::full_width, Reference::all}) {
            if (reference == Reference::all && !has(all_)) {
                row.insert(row.end(), 3, Cell());
                continue;
            }
            const Sums here = sums(i, depth, reference, every);
            for (const double number : {here.mean, here.error, here.deviation})
                row.emplace_back(number, 1);
        }
        row.emplace_back(sums(i, depth, Reference::full_width, every).nodes, 1);
        table.add(std::move(row));
    }
    table.add({"full width", Cell(), Cell(), Cell(), Cell(), Cell(), Cell(), Cell(full_width_nodes(depth, every), 1)});
    return {fmt::format("depth-{}", depth), fmt::format("Difference to full-width search of depth {}", depth),
            std::move(table)};
}

NamedTable Results::phase_table() const {
    std::vector<std::string> columns{"policy"};
    for (const Phase phase : phases) {
        columns.push_back(fmt::format("deviation, {}", name_of(phase)));
        columns.push_back(fmt::format("nodes, {}", name_of(phase)));
    }
    Table table(std::move(columns));
    std::vector<Cell> counts{"positions"};
    for (const Phase phase : phases) {
        counts.emplace_back(std::count_if(findings_.begin(), findings_.end(), in(phase)));
        counts.emplace_back();
    }
    table.add(std::move(counts));
    for (std::size_t i = 0; i < study_.policies.size(); ++i) {
        std::vector<Cell> row{quiescence::name_of(study_.policies[i])};
        for (const Phase phase : phases) {
            const Sums part = sums(i, study_.deepest, Reference::full_width, in(phase));
            row.emplace_back(part.deviation, 1);
            row.emplace_back(part.nodes, 1);
        }
        table.add(std::move(row));
    }
    return {"phases", fmt::format("By progress, depth {}", study_.deepest), std::move(table)};
}

NamedTable Results::paper_table() const {
    Table table({"policy", "paper: deviation, % of Eval", "paper: nodes a position",
                 "here, to All: deviation, % of Eval", "here: nodes a position"});
    const std::size_t eval = place_of(search::QuiescencePolicy::eval);
    for (const Published& row : published) {
        std::vector<Cell> cells{row.policy, Cell(100 * row.deviation / published[0].deviation, 1),
                                Cell(row.nodes / published_positions, 1)};
        const auto policies = find_policies({std::string(row.policy)});
        const std::size_t own = policies ? place_of(policies->front()) : study_.policies.size();
        if (has(own) && has(eval) && has(all_)) {
            const Sums here = sums(own, study_.deepest, Reference::all, every);
            const Sums base = sums(eval, study_.deepest, Reference::all, every);
            cells.emplace_back(100 * here.deviation / base.deviation, 1);
            cells.emplace_back(here.nodes, 1);
        }
        table.add(std::move(cells));
    }
    std::vector<Cell> last{"All", Cell(0.0, 1), Cell(published_full_width / published_positions, 1)};
    if (has(all_)) {
        last.emplace_back(0.0, 1);
        last.emplace_back(sums(all_, study_.deepest, Reference::all, every).nodes, 1);
    }
    table.add(std::move(last));
    return {"paper", fmt::format("Beside the paper's table 3 (depth 5), at depth {}", study_.deepest),
            std::move(table)};
}

NamedTable Results::best_move_table() const {
    std::vector<std::string> columns{"progress", "positions"};
    for (const std::string_view category : shown_categories)
        columns.push_back(fmt::format("{} %", category));
    Table table(std::move(columns));
    const auto add = [&](std::string_view name, auto&& wanted) {
        std::vector<const Finding*> part;
        for (const Finding& finding : findings_)
            if (wanted(finding)) part.push_back(&finding);
        std::vector<Cell> row{name, part.size()};
        for (const std::string_view category : shown_categories)
            row.push_back(part.empty() ? Cell() : Cell(share_of(part, category), 1));
        table.add(std::move(row));
    };
    for (const Phase phase : phases)
        add(name_of(phase), in(phase));
    add("all", every);
    return {"best-moves",
            fmt::format("Best moves of full-width search of depth {}: how many belong to a category", study_.deepest),
            std::move(table)};
}

template <typename Wanted>
report::Chart Results::deviation_chart(std::string title, int depth, Wanted&& wanted) const {
    report::Chart chart;
    chart.kind = report::Chart::Kind::scatter;
    chart.title = std::move(title);
    chart.x_label = "nodes a position";
    chart.y_label = "deviation from full width";
    chart.x_scale = report::Scale::logarithmic;
    for (std::size_t i = 0; i < study_.policies.size(); ++i) {
        const Sums part = sums(i, depth, Reference::full_width, wanted);
        chart.series.push_back({std::string(quiescence::name_of(study_.policies[i])), {{part.nodes, part.deviation}}});
    }
    chart.series.push_back({"full width", {{full_width_nodes(depth, wanted), 0}}});
    return chart;
}

report::Chart Results::best_move_chart() const {
    report::Chart chart;
    chart.title = "Best moves by category";
    chart.x_label = "progress";
    chart.y_label = "% of best moves";
    for (const std::string_view category : shown_categories) {
        report::Series series{std::string(category), {}};
        for (int progress = 0; progress <= most_progress; ++progress) {
            std::vector<const Finding*> part;
            for (const Finding& finding : findings_)
                if (finding.progress == progress) part.push_back(&finding);
            if (!part.empty()) series.points.push_back({static_cast<double>(progress), share_of(part, category)});
        }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

std::vector<NamedTable> Results::tables() const {
    std::vector<NamedTable> tables;
    for (int depth = 1; depth <= study_.deepest; ++depth)
        tables.push_back(depth_table(depth));
    tables.push_back(phase_table());
    tables.push_back(paper_table());
    tables.push_back(best_move_table());
    return tables;
}

std::vector<report::Chart> Results::charts() const {
    std::vector<report::Chart> charts;
    for (int depth = 1; depth <= study_.deepest; ++depth)
        charts.push_back(deviation_chart(fmt::format("Depth {}", depth), depth, every));
    for (const Phase phase : phases)
        charts.push_back(
            deviation_chart(fmt::format("Depth {}, {}", study_.deepest, name_of(phase)), study_.deepest, in(phase)));
    charts.push_back(best_move_chart());
    return charts;
}

std::vector<NamedTable> problem_tables(const ProblemStudy& study, std::span<const ProblemSet> sets,
                                       const ProblemScores& scores) {
    std::vector<NamedTable> tables;
    for (std::size_t l = 0; l < study.limits.size(); ++l) {
        std::vector<std::string> columns{"policy"};
        std::size_t problems = 0;
        for (const ProblemSet& set : sets) {
            columns.push_back(fmt::format("{} ({})", set.name, set.problems.size()));
            problems += set.problems.size();
        }
        columns.insert(columns.end(), {"all %", "95 % from", "to", "nodes a problem"});
        Table table(std::move(columns));
        for (std::size_t p = 0; p < study.policies.size(); ++p) {
            std::vector<Cell> row{quiescence::name_of(study.policies[p])};
            ProblemScore sum;
            for (const ProblemScore& score : scores[l][p]) {
                row.emplace_back(score.solved);
                sum.solved += score.solved;
                sum.nodes += score.nodes;
            }
            const auto all = static_cast<double>(problems);
            const auto solved = static_cast<double>(sum.solved);
            const report::Interval interval = report::wilson_interval(solved, all);
            for (const double number : {100 * solved / all, 100 * interval.low, 100 * interval.high})
                row.emplace_back(number, 1);
            row.emplace_back(static_cast<double>(sum.nodes) / all, 0);
            table.add(std::move(row));
        }
        const think::Limits& limits = study.limits[l];
        tables.push_back({fmt::format("problems-{}", l + 1),
                          limits.depth ? fmt::format("Problems solved at depth {}", *limits.depth)
                                       : fmt::format("Problems solved with {} nodes", limits.nodes.value_or(0)),
                          std::move(table)});
    }
    return tables;
}

}  // namespace tsumugi::experiment::quiescence
