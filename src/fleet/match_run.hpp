// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arena/match.hpp"
#include "fleet/job_run.hpp"

namespace tsumugi::fleet {

// The games of a match as jobs of pairs. What is stored and when the match ends is the match's own business.
class MatchRun : public JobSource {
public:
    MatchRun(arena::Match& match, const arena::MatchConfig& config) : match_(match), config_(config) {}

    std::optional<Piece> next() override;
    base::Result<void> take(std::uint64_t number, const std::string& payload) override;
    [[nodiscard]] bool complete() const override { return match_.complete(); }

    // The same for the same match in the same folder, so that it can be continued.
    [[nodiscard]] base::Result<std::string> name() const;

private:
    // Makes a job of the next pair.
    std::optional<Piece> cut();

    arena::Match& match_;
    const arena::MatchConfig& config_;
    std::optional<arena::Task> ahead_;                              // of the next pair
    std::deque<Piece> passed_over_;                                 // made before it was their turn
    std::map<std::uint64_t, std::vector<arena::Task>> handed_out_;  // by pair, until they are played
};

}  // namespace tsumugi::fleet
