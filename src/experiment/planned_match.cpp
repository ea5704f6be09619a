// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/planned_match.hpp"

#include <algorithm>
#include <memory>

#include "arena/match.hpp"
#include "base/clock.hpp"

namespace tsumugi::experiment {
namespace {

using base::Result;

MatchResult result_of(const arena::Match& match, const arena::MatchConfig& config) {
    MatchResult result;
    result.complete = match.complete();
    const arena::Schedule schedule(config.engines.size(), config.tournament, config.games);
    for (const auto& pairing : schedule.pairings()) {
        const auto found = match.standing().sheets().find(pairing);
        Score score;
        if (found != match.standing().sheets().end()) score = {found->second.total(), found->second.pairs()};
        result.scores.push_back(config.tournament == arena::Tournament::gauntlet ? score.reversed() : score);
    }
    return result;
}

}  // namespace

Score Score::reversed() const {
    Score other{{games.losses, games.draws, games.wins}, pairs};
    std::reverse(other.pairs.pairs.begin(), other.pairs.pairs.end());
    return other;
}

std::optional<report::EloEstimate> Score::estimate() const {
    if (pairs.count() > 0) return report::estimate_elo(pairs);
    if (games.games() > 0) return report::estimate_elo(games);
    return std::nullopt;
}

arena::AdjudicationSettings usual_adjudication() {
    arena::AdjudicationSettings settings;
    // Scores of the nets seldom go far beyond 2000: a limit of 3000 ended 2 games of 100 early, this one 63, and made
    // games a sixth shorter. Two of the 63 would have ended otherwise, at 2,000 nodes a move.
    settings.resign = arena::AdjudicationSettings::Resign{.centipawns = 2000, .moves = 3};
    settings.mate = arena::AdjudicationSettings::Mate{.moves = 1};
    return settings;
}

bool PlayedMatches::complete() const {
    return std::all_of(matches.begin(), matches.end(), [](const MatchResult& each) { return each.complete; });
}

Result<PlayedMatches> play_planned(std::span<const PlannedMatch> plan, const base::ProgressOutput& output,
                                   const std::stop_token& stop) {
    std::vector<std::unique_ptr<arena::Match>> matches;
    std::uint64_t total = 0;
    std::uint64_t already = 0;
    for (const PlannedMatch& each : plan) {
        auto match = arena::Match::open(each.config);
        if (!match) return match.error();
        total += (*match)->games();
        already += (*match)->standing().games();
        matches.push_back(*std::move(match));
    }
    base::Progress progress("games", total, already, output);
    PlayedMatches results;
    const base::Stopwatch watch;
    for (std::size_t i = 0; i < matches.size(); ++i) {
        progress.note(plan[i].label);
        matches[i]->on_game([&](const arena::StoredGame&, const arena::Standing&) {
            ++results.played;
            progress.add();
        });
        if (const auto done = matches[i]->run(stop); !done) return done.error();
        results.matches.push_back(result_of(*matches[i], plan[i].config));
    }
    results.seconds = watch.seconds();
    return results;
}

}  // namespace tsumugi::experiment
