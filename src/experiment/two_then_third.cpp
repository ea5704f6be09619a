// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/two_then_third.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "base/isa.hpp"
#include "experiment/output.hpp"
#include "experiment/planned_match.hpp"
#include "experiment/score_cell.hpp"
#include "experiment/two_then_third/agreement.hpp"
#include "report/statistic.hpp"

namespace tsumugi::experiment {
namespace {

using namespace two_then_third;
using base::Error;
using base::Result;
using report::Cell;
using report::Table;

NamedTable reported_by_ryfamate() {
    Table table({"the paper on", "figure"});
    table.add({"positions on which a deep-learning engine and an NNUE engine agree, but for opening and last endgame",
               "60 to 70 %"});
    table.add({"time of the deep-learning engine for even games", "2.5 times that of the NNUE engine"});
    table.add({"majority of two NNUE engines and one deep-learning engine against one of the NNUE engines",
               "stronger, by a little"});
    return {"paper", "What the authors of Ryfamate report", std::move(table)};
}

std::string phase_name(const two_then_third::Phase& phase) {
    return phase.to == std::numeric_limits<int>::max() ? fmt::format("from {} on", phase.from)
                                                       : fmt::format("{} to {}", phase.from, phase.to);
}

Cell percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? Cell() : Cell(100 * static_cast<double>(part) / static_cast<double>(whole), 1);
}

std::vector<Cell> agreement_row(const std::string& name, const Agreement& found) {
    const std::uint64_t differ = found.positions - found.agreed;
    const report::Interval interval =
        report::wilson_interval(static_cast<double>(found.agreed), static_cast<double>(found.positions));
    return {name,
            found.positions,
            percent(found.agreed, found.positions),
            Cell(100 * interval.low, 1),
            Cell(100 * interval.high, 1),
            percent(found.third_with_first, differ),
            percent(found.third_with_second, differ),
            percent(found.all_differ, differ)};
}

void add(Agreement& sum, const Agreement& part) {
    sum.positions += part.positions;
    sum.agreed += part.agreed;
    sum.third_with_first += part.third_with_first;
    sum.third_with_second += part.third_with_second;
    sum.all_differ += part.all_differ;
}

Result<std::vector<NamedTable>> compare_moves(const TwoThenThirdOptions& options, nlohmann::json& /*facts*/,
                                              const std::stop_token& stop) {
    Table table(
        {"moves", "positions", "agree %", "95 % from", "to", "third as first %", "third as second %", "all differ %"});
    const std::vector<two_then_third::Phase> phases = phases_of(options.phases);
    base::Progress progress("positions", phases.size() * options.positions);
    Agreement all;
    for (const two_then_third::Phase& phase : phases) {
        progress.note(phase_name(phase));
        const auto positions = take_positions({options.records, options.positions, phase.from, phase.to, options.seed});
        if (!positions) return positions.error();
        const auto found = measure_agreement(options.players, *positions, progress, stop);
        if (!found) return found.error();
        table.add(agreement_row(phase_name(phase), *found));
        add(all, *found);
    }
    progress.finish();
    table.add(agreement_row("all", all));
    return std::vector<NamedTable>{
        {"agreement",
         fmt::format("How often {} and {} would play the same, and where not, whom {} joins", options.players[0].name,
                     options.players[1].name, options.players[2].name),
         std::move(table)}};
}

// The players, and the first with as many nodes as the rule spends where nobody asks the third.
std::vector<arena::EngineSpec> opponents(const TwoThenThirdOptions& options) {
    std::vector<arena::EngineSpec> engines = options.players;
    if (const auto nodes = options.players.front().allowance.nodes) {
        engines.push_back(options.players.front());
        engines.back().name += " twice";
        engines.back().allowance.nodes = 2 * *nodes;
    }
    return engines;
}

Result<PlannedMatch> plan_of(const TwoThenThirdOptions& options, const std::string& rule) {
    CouncilConfig council;
    council.members = options.players;
    council.rule = rule;
    council.seed = options.seed;
    auto group = council_player(rule, std::move(council));
    if (!group) return group.error();
    PlannedMatch plan;
    plan.label = rule;
    plan.config.engines = opponents(options);
    plan.config.engines.insert(plan.config.engines.begin(), *std::move(group));
    plan.config.tournament = arena::Tournament::gauntlet;
    plan.config.games = options.games;
    plan.config.openings.file = options.openings;
    plan.config.pool.concurrency = options.concurrency;
    plan.config.pool.play.adjudication = usual_adjudication();
    if (!options.output.empty()) plan.config.folder = options.output / ("two-then-third-" + rule);
    return plan;
}

// The rule itself, and beside it the majority that asks all three for every move.
Result<std::vector<NamedTable>> play_games(const TwoThenThirdOptions& options, nlohmann::json& facts,
                                           const std::stop_token& stop) {
    if (options.openings.empty())
        return Error{Error::Code::syntax,
                     "no openings to play from; name a file with --openings, or all games would be the same"};
    std::vector<PlannedMatch> plan;
    for (const char* rule : {"two-then-third", "leader"}) {
        auto match = plan_of(options, rule);
        if (!match) return match.error();
        plan.push_back(*std::move(match));
    }
    const auto played = play_planned(plan, base::ProgressOutput::standard_error(), stop);
    if (!played) return played.error();
    if (played->played > 0)
        facts["games a second"] = static_cast<double>(played->played) / std::max(played->seconds, 1e-3);
    Table table(score_columns({"rule", "against", "limit"}));
    for (std::size_t i = 0; i < plan.size(); ++i)
        for (std::size_t j = 0; j < played->matches[i].scores.size(); ++j) {
            const arena::EngineSpec& opponent = plan[i].config.engines[j + 1];
            std::vector<Cell> row{plan[i].label, opponent.name, opponent.allowance.describe()};
            add_score(row, played->matches[i].scores[j].reversed());
            table.add(std::move(row));
        }
    return std::vector<NamedTable>{{"matches",
                                    fmt::format("The rules against the players{}",
                                                played->complete() ? "" : " (interrupted; the same command goes on)"),
                                    std::move(table)}};
}

Result<void> check(const TwoThenThirdOptions& options) {
    if (options.players.size() != 3)
        return Error{Error::Code::range, "three players are needed (--player name=… nodes=… option.EvalFile=…)"};
    for (const arena::EngineSpec& player : options.players)
        if (const auto good = player.check(); !good) return good;
    if (options.positions == 0 && options.games == 0)
        return Error{Error::Code::range, "neither positions nor games are asked for"};
    return {};
}

}  // namespace

Result<void> run_two_then_third(const TwoThenThirdOptions& options, std::ostream& out, const std::stop_token& stop) {
    if (const auto good = check(options); !good) return good;
    nlohmann::json facts{{"instruction set", base::isa::name}, {"seed", options.seed}};
    std::vector<NamedTable> tables{reported_by_ryfamate()};
    print(out, tables);
    using Part =
        Result<std::vector<NamedTable>> (*)(const TwoThenThirdOptions&, nlohmann::json&, const std::stop_token&);
    for (const auto& [wanted, part] : {std::pair<bool, Part>{options.positions > 0, compare_moves},
                                       std::pair<bool, Part>{options.games > 0, play_games}}) {
        if (!wanted || stop.stop_requested()) continue;
        auto found = part(options, facts, stop);
        if (!found) return found.error();
        print(out, *found);
        std::move(found->begin(), found->end(), std::back_inserter(tables));
    }
    if (options.output.empty()) return {};
    if (auto written = write_output(options.output, "two-then-third", facts, tables); !written) return written;
    return write_page(options.output, "two-then-third", "Two, then a third", tables, {});
}

}  // namespace tsumugi::experiment
