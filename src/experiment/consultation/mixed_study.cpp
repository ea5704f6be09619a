// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/consultation/mixed_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include "arena/game_record.hpp"

namespace tsumugi::experiment::consultation {
namespace {

using base::Error;
using base::Result;

// A trial that ends between these is good enough: the games that follow show what it is in truth.
constexpr double low_enough = 0.55;
constexpr double high_enough = 0.45;
// Closer than this two trials differ by chance only.
constexpr double closest_ratio = 1.15;
constexpr std::size_t most_trials = 16;

double share_of(const Score& score) {
    const auto games = static_cast<double>(score.games.games());
    return games == 0 ? 0.5
                      : (static_cast<double>(score.games.wins) + 0.5 * static_cast<double>(score.games.draws)) / games;
}

PlannedMatch plan_of(const MixedStudy& study, std::string label, std::vector<arena::EngineSpec> engines,
                     arena::Tournament kind, std::uint64_t games) {
    PlannedMatch plan;
    plan.config.engines = std::move(engines);
    plan.config.tournament = kind;
    plan.config.games = games;
    plan.config.openings.file = study.openings;
    plan.config.pool.concurrency = study.concurrency;
    plan.config.pool.on_failure = arena::FailurePolicy::replay;
    plan.config.pool.play.adjudication = usual_adjudication();
    if (!study.folder.empty()) plan.config.folder = study.folder / arena::file_name_part(label);
    plan.label = std::move(label);
    return plan;
}

// Says who plays with which limits: after another search for them it is another match.
std::string label_of(std::string_view kind, const std::vector<arena::EngineSpec>& engines) {
    std::string label(kind);
    for (const arena::EngineSpec& engine : engines)
        label += fmt::format(" {} {}", engine.name, engine.allowance.describe());
    return label;
}

Result<MatchResult> play_one(PlannedMatch plan, const base::ProgressOutput& output, const std::stop_token& stop) {
    auto played = play_planned(std::vector{std::move(plan)}, output, stop);
    if (!played) return played.error();
    return played->matches.front();
}

// Sets the nodes of a member so that it is about as strong as the first. False when interrupted.
Result<bool> balance(const MixedStudy& study, arena::EngineSpec& member, std::vector<Trial>& all,
                     const base::ProgressOutput& output, const std::stop_token& stop) {
    std::vector<Trial> trials;
    for (std::optional<std::uint64_t> nodes = member.allowance.nodes; nodes; nodes = next_nodes(trials)) {
        member.allowance.nodes = nodes;
        auto plan = plan_of(study, fmt::format("balance-{}-{}", member.name, *nodes), {study.members.front(), member},
                            arena::Tournament::gauntlet, study.balance_games);
        const auto result = play_one(std::move(plan), output, stop);
        if (!result) return result.error();
        if (!result->complete) return false;
        trials.push_back({member.name, *nodes, result->scores.front()});
    }
    all.insert(all.end(), trials.begin(), trials.end());
    const auto best = std::min_element(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) {
        return std::abs(share_of(a.score) - 0.5) < std::abs(share_of(b.score) - 0.5);
    });
    if (best != trials.end()) member.allowance.nodes = best->nodes;
    return true;
}

// Everybody against everybody; then the strongest comes first. False when interrupted.
Result<bool> rank(const MixedStudy& study, MixedResults& results, const base::ProgressOutput& output,
                  const std::stop_token& stop) {
    auto plan = plan_of(study, label_of("members", results.members), results.members, arena::Tournament::round_robin,
                        study.games);
    const auto result = play_one(std::move(plan), output, stop);
    if (!result) return result.error();
    const arena::Schedule schedule(results.members.size(), arena::Tournament::round_robin, study.games);
    std::map<std::string, double> points;
    for (std::size_t i = 0; i < schedule.pairings().size(); ++i) {
        const auto& [first, second] = schedule.pairings()[i];
        const Score& score = result->scores[i];
        results.pairings.push_back({results.members[first].name, results.members[second].name, score});
        points[results.members[first].name] += share_of(score);
        points[results.members[second].name] += 1 - share_of(score);
    }
    std::stable_sort(results.members.begin(), results.members.end(),
                     [&](const auto& a, const auto& b) { return points[a.name] > points[b.name]; });
    return result->complete;
}

Result<bool> play_group(const MixedStudy& study, MixedResults& results, const base::ProgressOutput& output,
                        const std::stop_token& stop) {
    CouncilConfig council;
    council.members = results.members;
    council.rule = "leader";
    council.seed = study.seed;
    const auto group = council_player("group", std::move(council));
    if (!group) return group.error();
    std::vector<arena::EngineSpec> engines{*group};
    engines.insert(engines.end(), results.members.begin(), results.members.end());
    auto plan =
        plan_of(study, label_of("group of", results.members), engines, arena::Tournament::gauntlet, study.games);
    const auto result = play_one(std::move(plan), output, stop);
    if (!result) return result.error();
    for (std::size_t i = 0; i < results.members.size(); ++i)
        results.group.push_back({"group", results.members[i].name, result->scores[i].reversed()});
    return result->complete;
}

}  // namespace

std::optional<std::uint64_t> next_nodes(const std::vector<Trial>& trials) {
    const Trial& last = trials.back();
    const double share = share_of(last.score);
    if ((high_enough <= share && share <= low_enough) || trials.size() >= most_trials) return std::nullopt;
    std::optional<std::uint64_t> weak;
    std::optional<std::uint64_t> strong;
    for (const Trial& trial : trials) {
        if (share_of(trial.score) < 0.5)
            weak = std::max(weak.value_or(trial.nodes), trial.nodes);
        else
            strong = std::min(strong.value_or(trial.nodes), trial.nodes);
    }
    if (!strong) return *weak * 2;
    if (!weak) return *strong > 1 ? std::optional(*strong / 2) : std::nullopt;
    if (static_cast<double>(*strong) < closest_ratio * static_cast<double>(*weak)) return std::nullopt;
    return static_cast<std::uint64_t>(
        std::llround(std::sqrt(static_cast<double>(*weak) * static_cast<double>(*strong))));
}

Result<MixedResults> study_mixed(const MixedStudy& study, const base::ProgressOutput& output,
                                 const std::stop_token& stop) {
    MixedResults results;
    results.members = study.members;
    if (results.members.size() < 3)
        return Error{Error::Code::range, "a group of different programs needs three members (--member name=… …)"};
    for (std::size_t i = 1; i < results.members.size() && study.balance_games > 0; ++i) {
        if (!results.members[i].allowance.nodes)
            return Error{Error::Code::syntax,
                         fmt::format("{}: the limit that is searched for is nodes=…; say where to begin",
                                     results.members[i].name)};
        const auto done = balance(study, results.members[i], results.trials, output, stop);
        if (!done) return done.error();
        if (!*done) return results;
    }
    const auto ranked = rank(study, results, output, stop);
    if (!ranked) return ranked.error();
    if (!*ranked) return results;
    const auto played = play_group(study, results, output, stop);
    if (!played) return played.error();
    results.complete = *played;
    return results;
}

}  // namespace tsumugi::experiment::consultation
