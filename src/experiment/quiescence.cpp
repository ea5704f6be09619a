// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/quiescence.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "base/atomic_file.hpp"
#include "eval/net.hpp"
#include "experiment/output.hpp"
#include "experiment/quiescence/position.hpp"
#include "experiment/quiescence/problem.hpp"
#include "experiment/quiescence/study.hpp"
#include "experiment/quiescence/table_of_result.hpp"
#include "report/page.hpp"

namespace tsumugi::experiment {
namespace {

using namespace quiescence;
using base::Error;
using base::Result;
using search::QuiescencePolicy;

// What both parts share, and what they come to.
struct Run {
    const QuiescenceOptions& options;
    std::vector<QuiescencePolicy> policies;
    std::shared_ptr<const eval::Evaluator> evaluator;
    std::vector<NamedTable> tables{};
    std::vector<report::Chart> charts{};
};

Result<void> search_positions(Run& run, const std::stop_token& stop) {
    const QuiescenceOptions& options = run.options;
    const auto positions = sample_positions({options.games, options.positions, options.from_ply, options.seed});
    if (!positions) return positions.error();
    Study study{run.policies, options.depth, run.evaluator, options.seed, options.threads};
    std::erase(study.policies, QuiescencePolicy::standard);
    std::vector<std::string> names;
    for (const QuiescencePolicy policy : study.policies)
        names.emplace_back(name_of(policy));
    std::uint64_t fingerprint = 0;
    for (const shogi::Position& position : *positions)
        fingerprint = fingerprint * 0x9e3779b97f4a7c15 + position.key();
    const nlohmann::json facts{{"policies", names},
                               {"depth", options.depth},
                               {"evaluation", run.evaluator->description()},
                               {"seed", options.seed},
                               {"positions", fingerprint}};
    auto log =
        Log::open(options.output.empty() ? std::filesystem::path() : options.output / "quiescence-searches.jsonl",
                  study, facts, positions->size());
    if (!log) return log.error();
    const auto known = std::count_if(log->findings().begin(), log->findings().end(),
                                     [](const auto& each) { return each.has_value(); });
    base::Progress progress("positions", positions->size(), static_cast<std::uint64_t>(known));
    const auto findings = study_positions(study, *positions, *log, progress, stop);
    if (!findings) return findings.error();
    progress.finish();
    const Results results(study, *findings, options.score_limit);
    run.tables = results.tables();
    run.charts = results.charts();
    return {};
}

Result<void> solve_problems(Run& run, const std::stop_token& stop) {
    const QuiescenceOptions& options = run.options;
    std::vector<ProblemSet> sets;
    std::size_t problems = 0;
    for (const std::filesystem::path& path : options.problems) {
        auto set = read_problems(path);
        if (!set) return set.error();
        problems += set->problems.size();
        sets.push_back(*std::move(set));
    }
    ProblemStudy study{run.policies, {}, run.evaluator};
    if (std::find(study.policies.begin(), study.policies.end(), QuiescencePolicy::standard) == study.policies.end())
        study.policies.insert(study.policies.begin(), QuiescencePolicy::standard);
    for (const int depth : options.problem_depths)
        if (depth > 0) study.limits.emplace_back().depth = depth;
    for (const std::uint64_t nodes : options.problem_nodes)
        if (nodes > 0) study.limits.emplace_back().nodes = nodes;
    base::Progress progress("problems", study.limits.size() * study.policies.size() * problems);
    const auto scores = study_problems(study, sets, progress, stop);
    if (!scores) return scores.error();
    progress.finish();
    std::vector<NamedTable> tables = problem_tables(study, sets, *scores);
    std::move(tables.begin(), tables.end(), std::back_inserter(run.tables));
    return {};
}

std::string to_html(const Run& run) {
    report::Page page("Quiescence policies");
    for (const report::Chart& chart : run.charts)
        page.add(chart);
    for (const NamedTable& table : run.tables) {
        page.add_heading(table.title);
        page.add(table.table);
    }
    return page.to_html();
}

}  // namespace

Result<void> run_quiescence(const QuiescenceOptions& options, std::ostream& out, const std::stop_token& stop) {
    if (options.positions == 0 && options.problems.empty())
        return Error{Error::Code::range, "neither positions nor problems are asked for"};
    auto policies = find_policies(options.policies);
    if (!policies) return policies.error();
    auto evaluator = eval::choose_evaluator(options.net);
    if (!evaluator) return evaluator.error();
    Run run{options, *std::move(policies), *std::move(evaluator)};
    if (options.positions > 0)
        if (auto done = search_positions(run, stop); !done) return done;
    if (!options.problems.empty())
        if (auto done = solve_problems(run, stop); !done) return done;
    print(out, run.tables);
    if (options.output.empty()) return {};
    const nlohmann::json facts{{"seed", options.seed},
                               {"evaluation", run.evaluator->description()},
                               {"positions", options.positions},
                               {"score limit", options.score_limit}};
    if (auto written = write_output(options.output, "quiescence", facts, run.tables); !written) return written;
    return base::write_file(options.output / "quiescence.html", to_html(run));
}

}  // namespace tsumugi::experiment
