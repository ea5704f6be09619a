// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/tables/match_study.hpp"

#include <fmt/format.h>

#include <vector>

namespace tsumugi::experiment::tables {
namespace {

using base::Error;
using base::Result;

arena::EngineSpec engine_of(const MatchStudy& study, const Contender& contender, std::size_t kibibytes) {
    const search::TableSettings table = contender.settings(kibibytes);
    arena::EngineSpec engine;
    engine.name = fmt::format("{} {}", contender.policy_name(), contender.scheme_name());
    engine.options = {{"HashKiB", std::to_string(table.kibibytes)},
                      {"HashPolicy", std::string(contender.bare_policy_name())},
                      {"HashSecondProbeDepth", std::to_string(table.second_probe_depth)},
                      {"HashScheme", std::string(contender.scheme_name())},
                      {"EvalFile", study.net}};
    engine.allowance.nodes = study.nodes;
    return engine;
}

arena::MatchConfig match_of(const MatchStudy& study, std::size_t kibibytes) {
    arena::MatchConfig config;
    for (const Contender& contender : study.contenders)
        config.engines.push_back(engine_of(study, contender, kibibytes));
    config.tournament = arena::Tournament::gauntlet;
    config.games = study.games;
    config.openings.file = study.openings;
    config.pool.concurrency = study.concurrency;
    if (!study.folder.empty()) config.folder = study.folder / fmt::format("tables-{}-KiB", kibibytes);
    return config;
}

}  // namespace

Result<MatchResults> study_matches(const MatchStudy& study, const base::ProgressOutput& output,
                                   const std::stop_token& stop) {
    if (study.openings.empty())
        return Error{Error::Code::syntax,
                     "no openings to play from; name a file with --openings, or all games would be the same"};
    if (study.contenders.size() < 2) return Error{Error::Code::range, "a match needs two policies or schemes"};
    std::vector<PlannedMatch> plan;
    for (const std::size_t kibibytes : study.kibibytes)
        plan.push_back({fmt::format("{} KiB", kibibytes), match_of(study, kibibytes)});
    const auto played = play_planned(plan, output, stop);
    if (!played) return played.error();
    MatchResults results;
    results.complete = played->complete();
    for (std::size_t i = 0; i < plan.size(); ++i)
        for (std::size_t j = 0; j + 1 < study.contenders.size(); ++j)
            results.cells.push_back({study.contenders[j + 1], study.kibibytes[i], played->matches[i].scores[j]});
    return results;
}

}  // namespace tsumugi::experiment::tables
