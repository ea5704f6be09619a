// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "base/atomic_file.hpp"
#include "base/isa.hpp"
#include "eval/net.hpp"
#include "experiment/output.hpp"
#include "experiment/tables/match_study.hpp"
#include "experiment/tables/position_study.hpp"
#include "experiment/tables/table_of_result.hpp"

namespace tsumugi::experiment {
namespace {

using namespace tables;
using base::Error;
using base::Result;

// Those of every size, led by one that has searched nothing before: the paper's Tac-1.
std::vector<Subject> subjects_of(const TablesOptions& options, const std::vector<Contender>& contenders) {
    std::vector<Subject> subjects;
    for (const std::size_t kibibytes : options.kibibytes) {
        Contender cold;
        cold.policy = search::TablePolicy::clearing;
        cold.scheme = contenders.front().scheme;
        subjects.push_back({cold, kibibytes, true});
        for (const Contender& contender : contenders)
            subjects.push_back({contender, kibibytes});
    }
    return subjects;
}

std::vector<Condition> conditions_of(const TablesOptions& options) {
    using enum Condition::Kind;
    std::vector<Condition> conditions;
    const auto add = [&](Condition::Kind kind, const std::vector<std::uint64_t>& amounts) {
        for (const std::uint64_t amount : amounts)
            if (amount > 0) conditions.push_back({kind, amount});
    };
    add(time, options.times);
    add(iterations, options.iterations);
    add(nodes, options.nodes);
    return conditions;
}

Result<std::vector<NamedTable>> search_positions(const TablesOptions& options, const std::vector<Contender>& contenders,
                                                 nlohmann::json& facts, const std::stop_token& stop) {
    const auto positions =
        take_positions({options.games, options.positions, options.from_ply, options.to_ply, options.seed});
    if (!positions) return positions.error();
    auto evaluator = eval::choose_evaluator(options.net);
    if (!evaluator) return evaluator.error();
    facts["positions"] = positions->size();
    const PositionStudy study{conditions_of(options), subjects_of(options, contenders), *std::move(evaluator)};
    base::Progress progress("searches", study.conditions.size() * study.subjects.size() * positions->size());
    const auto measurements = study_positions(study, *positions, progress, stop);
    if (!measurements) return measurements.error();
    progress.finish();
    if (!options.output.empty()) {
        std::error_code failed;
        std::filesystem::create_directories(options.output, failed);  // writing says what went wrong
        const std::string csv = measurement_table(study, *measurements).to_csv();
        if (const auto written = base::write_file(options.output / "tables-searches.csv", csv); !written)
            return written.error();
    }
    std::vector<NamedTable> tables{tables::published_positions(study, *measurements)};
    for (NamedTable& table : position_tables(study, *measurements))
        tables.push_back(std::move(table));
    return tables;
}

Result<std::vector<NamedTable>> play_matches(const TablesOptions& options, const std::vector<Contender>& contenders,
                                             nlohmann::json& facts, const std::stop_token& stop) {
    const MatchStudy study{contenders,          options.kibibytes, options.match_games, options.match_nodes,
                           options.concurrency, options.openings,  options.net,         options.output};
    const auto results = study_matches(study, base::ProgressOutput::standard_error(), stop);
    if (!results) return results.error();
    facts["games of a pairing"] = options.match_games;
    return std::vector<NamedTable>{published_matches(), match_table(study, *results)};
}

}  // namespace

Result<void> run_tables(const TablesOptions& options, std::ostream& out, const std::stop_token& stop) {
    if (options.positions == 0 && options.match_games == 0)
        return Error{Error::Code::range, "neither positions nor games are asked for"};
    if (options.kibibytes.empty()) return Error{Error::Code::range, "at least one size of the table is needed"};
    if (options.from_ply < 2 || options.to_ply < options.from_ply)
        return Error{Error::Code::range, fmt::format("no position has two moves before it and lies from move {} to {}",
                                                     options.from_ply, options.to_ply)};
    const auto contenders = make_contenders(options.policies, options.schemes);
    if (!contenders) return contenders.error();
    nlohmann::json facts{{"instruction set", base::isa::name}, {"seed", options.seed}, {"net", options.net}};
    std::vector<NamedTable> tables;
    using Part = Result<std::vector<NamedTable>> (*)(const TablesOptions&, const std::vector<Contender>&,
                                                     nlohmann::json&, const std::stop_token&);
    for (const auto& [wanted, part] : {std::pair<bool, Part>{options.positions > 0, search_positions},
                                       std::pair<bool, Part>{options.match_games > 0, play_matches}}) {
        if (!wanted) continue;
        auto found = part(options, *contenders, facts, stop);
        if (!found) return found.error();
        print(out, *found);
        std::move(found->begin(), found->end(), std::back_inserter(tables));
    }
    if (options.output.empty()) return {};
    return write_output(options.output, "tables", facts, tables);
}

}  // namespace tsumugi::experiment
