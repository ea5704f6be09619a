// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/tables/match_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "arena/match.hpp"

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
    if (!study.folder.empty()) config.folder = study.folder / fmt::format("tables-{}-KiB", kibibytes);
    return config;
}

// The sheets of a match are seen from the first engine, cells from the other.
MatchCell cell_of(const arena::ScoreSheet& sheet, const Contender& contender, std::size_t kibibytes) {
    const report::WinDrawLoss games = sheet.total();
    MatchCell cell{contender, kibibytes, {games.losses, games.draws, games.wins}, sheet.pairs()};
    std::reverse(cell.pairs.pairs.begin(), cell.pairs.pairs.end());
    return cell;
}

}  // namespace

std::optional<report::EloEstimate> MatchCell::elo() const {
    if (pairs.count() > 0) return report::estimate_elo(pairs);
    if (games.games() > 0) return report::estimate_elo(games);
    return std::nullopt;
}

Result<MatchResults> study_matches(const MatchStudy& study, const base::ProgressOutput& output,
                                   const std::stop_token& stop) {
    if (study.openings.empty())
        return Error{Error::Code::syntax,
                     "no openings to play from; name a file with --openings, or all games would be the same"};
    if (study.contenders.size() < 2) return Error{Error::Code::range, "a match needs two policies or schemes"};
    std::vector<std::unique_ptr<arena::Match>> matches;
    std::uint64_t total = 0;
    std::uint64_t already = 0;
    for (const std::size_t kibibytes : study.kibibytes) {
        auto match = arena::Match::open(match_of(study, kibibytes));
        if (!match) return match.error();
        total += (*match)->games();
        already += (*match)->standing().games();
        matches.push_back(*std::move(match));
    }
    base::Progress progress("games", total, already, output);
    MatchResults results;
    results.complete = true;
    for (std::size_t i = 0; i < matches.size(); ++i) {
        const std::size_t kibibytes = study.kibibytes[i];
        arena::Match& match = *matches[i];
        progress.note(fmt::format("{} KiB", kibibytes));
        match.on_game([&](const arena::StoredGame&, const arena::Standing&) { progress.add(); });
        if (const auto done = match.run(stop); !done) return done.error();
        results.complete = results.complete && match.complete();
        for (const auto& [pairing, sheet] : match.standing().sheets())
            results.cells.push_back(cell_of(sheet, study.contenders[pairing.second], kibibytes));
    }
    return results;
}

}  // namespace tsumugi::experiment::tables
