// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/consultation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>
#include <span>
#include <string_view>
#include <utility>

#include "base/isa.hpp"
#include "eval/net.hpp"
#include "experiment/consultation/majority_curve.hpp"
#include "experiment/consultation/table_of_result.hpp"
#include "experiment/output.hpp"

namespace tsumugi::experiment {
namespace {

using namespace consultation;
using base::Error;
using base::Result;

// What a part has to show.
struct Findings {
    std::vector<NamedTable> tables;
    std::vector<NamedChart> charts;
    nlohmann::json facts;
};

Setting setting_of(const ConsultationOptions& options) {
    return {options.net,   options.pawn_exchange, options.hash_kib, options.shares_tables, options.seed,
            options.games, options.concurrency,   options.openings, options.output};
}

Grid grid_of(const ConsultationOptions& options) { return {options.players, options.sigmas, options.nodes}; }

Result<Findings> vote(const ConsultationOptions& options, const std::stop_token& stop) {
    const auto positions =
        take_positions({options.records, options.positions, options.from_ply, options.to_ply, options.seed});
    if (!positions) return positions.error();
    const auto evaluator = eval::choose_evaluator(options.net);
    if (!evaluator) return evaluator.error();
    const Setting setting = setting_of(options);
    const int players = *std::max_element(options.players.begin(), options.players.end());
    base::Progress progress("votes", positions->size() * options.sigmas.size());
    const auto counts = count_votes(setting, players, options.sigmas, options.nodes, *positions, progress, stop);
    if (!counts) return counts.error();
    progress.finish();
    return Findings{{exchange_table(pawn_exchanges(**evaluator, *positions), options.pawn_exchange),
                     vote_table(setting, players, options.nodes, *counts)},
                    {},
                    {}};
}

Result<PlayedMatches> play(const Setting& setting, std::span<const Contest> contests, nlohmann::json& facts,
                           const std::stop_token& stop) {
    if (setting.openings.empty())
        return Error{Error::Code::syntax,
                     "no openings to play from; name a file with --openings, or all games would be the same"};
    std::vector<PlannedMatch> plan;
    for (const Contest& contest : contests) {
        auto match = plan_of(setting, contest);
        if (!match) return match.error();
        plan.push_back(*std::move(match));
    }
    auto played = play_planned(plan, base::ProgressOutput::standard_error(), stop);
    if (!played) return played.error();
    if (played->played > 0)
        facts["games a second"] = static_cast<double>(played->played) / std::max(played->seconds, 1e-3);
    return played;
}

// Plays the contests and shows a table for each.
Result<Findings> contend(const ConsultationOptions& options, std::span<const Contest> contests,
                         std::vector<MatchResult>& results, const std::stop_token& stop) {
    const Setting setting = setting_of(options);
    Findings findings;
    auto played = play(setting, contests, findings.facts, stop);
    if (!played) return played.error();
    results = std::move(played->matches);
    for (std::size_t i = 0; i < contests.size(); ++i)
        findings.tables.push_back(contest_table(setting, contests[i], results[i]));
    return findings;
}

Result<Findings> contend_for_majority(const ConsultationOptions& options, const std::stop_token& stop) {
    const std::vector<Contest> contests{majority_contest(grid_of(options))};
    std::vector<MatchResult> results;
    auto findings = contend(options, contests, results, stop);
    if (findings) findings->charts = {{contests.front().key, majority_chart(contests.front(), results.front())}};
    return findings;
}

Result<Findings> contend_by_depth(const ConsultationOptions& options, const std::stop_token& stop) {
    const std::vector<Contest> contests = depth_contests(grid_of(options), options.depths);
    std::vector<MatchResult> results;
    auto findings = contend(options, contests, results, stop);
    if (findings) findings->charts = {{"depth", depth_chart(contests, results)}};
    return findings;
}

Result<Findings> contend_for_resources(const ConsultationOptions& options, const std::stop_token& stop) {
    const std::vector<Contest> contests{resource_contest(grid_of(options), options.resource_sigma)};
    std::vector<MatchResult> results;
    return contend(options, contests, results, stop);
}

Result<Findings> mix(const ConsultationOptions& options, const std::stop_token& stop) {
    MixedStudy study;
    study.members = options.members;
    study.games = options.games;
    study.balance_games = options.balance_games;
    study.seed = options.seed;
    study.concurrency = options.concurrency;
    study.openings = options.openings;
    if (!options.output.empty()) study.folder = options.output / "mixed";
    const auto results = study_mixed(study, base::ProgressOutput::standard_error(), stop);
    if (!results) return results.error();
    return Findings{mixed_tables(*results), {}, {{"mixed complete", results->complete}}};
}

Result<Findings> draw_curve(const ConsultationOptions& /*options*/, const std::stop_token& /*stop*/) {
    return Findings{{curve_table()}, {{"curve", majority_curve()}}, {}};
}

using Part = Result<Findings> (*)(const ConsultationOptions&, const std::stop_token&);
constexpr std::array<std::pair<std::string_view, Part>, 6> all_parts{{
    {"votes", vote},
    {"majority", contend_for_majority},
    {"depth", contend_by_depth},
    {"resources", contend_for_resources},
    {"mixed", mix},
    {"curve", draw_curve},
}};

// Nothing when there is none of this name.
Part find_part(const std::string& wanted) {
    for (const auto& [name, part] : all_parts)
        if (name == wanted) return part;
    return nullptr;
}

Result<void> check(const ConsultationOptions& options) {
    std::string names;
    for (const auto& each : all_parts)
        names.append(names.empty() ? "" : ", ").append(each.first);
    for (const std::string& name : options.parts)
        if (find_part(name) == nullptr)
            return Error{Error::Code::syntax, fmt::format("there is no part '{}'; there are {}", name, names)};
    if (options.players.empty() || options.sigmas.empty())
        return Error{Error::Code::range, "at least one number of players and one noise are needed"};
    for (const int players : options.players)
        if (players < 1) return Error{Error::Code::range, "a group has at least one player"};
    for (const double sigma : options.sigmas)
        if (sigma <= 0) return Error{Error::Code::range, "noise is larger than nothing"};
    return {};
}

}  // namespace

Result<void> run_consultation(const ConsultationOptions& options, std::ostream& out, const std::stop_token& stop) {
    if (const auto good = check(options); !good) return good;
    Findings all{
        {published()}, {}, {{"instruction set", base::isa::name}, {"seed", options.seed}, {"net", options.net}}};
    print(out, all.tables);
    for (const std::string& name : options.parts) {
        if (stop.stop_requested()) break;
        auto found = find_part(name)(options, stop);
        if (!found) return found.error();
        print(out, found->tables);
        if (!found->facts.empty()) {
            out << name << ": " << found->facts.dump() << "\n\n";
            all.facts[name] = found->facts;
        }
        out.flush();
        std::move(found->tables.begin(), found->tables.end(), std::back_inserter(all.tables));
        std::move(found->charts.begin(), found->charts.end(), std::back_inserter(all.charts));
    }
    if (options.output.empty()) return {};
    if (auto written = write_output(options.output, "consultation", all.facts, all.tables); !written) return written;
    return write_page(options.output, "consultation", "Consultation", all.tables, all.charts);
}

}  // namespace tsumugi::experiment
