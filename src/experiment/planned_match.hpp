// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/match_config.hpp"
#include "base/progress.hpp"
#include "report/elo.hpp"

namespace tsumugi::experiment {

// How a player fared against another.
struct Score {
    report::WinDrawLoss games;
    report::Pentanomial pairs;

    // The same games seen from the other side.
    [[nodiscard]] Score reversed() const;
    // Nothing before the first game.
    [[nodiscard]] std::optional<report::EloEstimate> estimate() const;
};

// Games end when both players have seen a lost position, or a mate, for some moves: what is left would cost time and
// tell nothing.
arena::AdjudicationSettings usual_adjudication();

// A match of an experiment.
struct PlannedMatch {
    std::string label;  // of the progress
    arena::MatchConfig config;
};

struct MatchResult {
    // In the order of the schedule: of a gauntlet the others, as they fared against the first; of a round robin every
    // pairing, seen from the one that comes first.
    std::vector<Score> scores;
    bool complete = false;
};

struct PlayedMatches {
    std::vector<MatchResult> matches;
    std::uint64_t played = 0;  // games of this run, without those that were there before
    double seconds = 0;

    [[nodiscard]] bool complete() const;
};

// Plays one match after the other, with one line of progress for all. Games that were played before are not played
// again. After a stop the scores hold what there is.
base::Result<PlayedMatches> play_planned(std::span<const PlannedMatch> plan, const base::ProgressOutput& output,
                                         const std::stop_token& stop);

}  // namespace tsumugi::experiment
