// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "fleet/duel_job.hpp"
#include "fleet/job_run.hpp"

namespace tsumugi::fleet {

// The games of `book duel` as jobs. Each follows the book as it is when the job is posted, so it knows nothing of the
// games under way; on one machine it knows nothing of those beside it either.
class DuelRun : public JobSource {
public:
    using OnGame = std::function<void(const learn::bookmaking::DuelReport& so_far)>;

    // Until the workspace has seen `games`. Of `game` the settings, the net and the opponents are used, as jobs name
    // nets; `place` is the file of the workspace.
    static base::Result<std::unique_ptr<DuelRun>> open(learn::bookmaking::Workspace& workspace,
                                                       std::filesystem::path place, DuelJob game, std::uint64_t games,
                                                       OnGame on_game);

    std::optional<Piece> next() override;
    base::Result<void> take(std::uint64_t number, const std::string& payload) override;
    [[nodiscard]] bool complete() const override { return missing_.empty(); }

    // The same for the same workspace, settings and nets.
    [[nodiscard]] std::string name() const;

private:
    DuelRun(learn::bookmaking::Workspace& workspace, std::filesystem::path place, DuelJob game,
            const std::vector<std::uint64_t>& numbers, OnGame on_game)
        : workspace_(workspace),
          place_(std::move(place)),
          game_(std::move(game)),
          on_game_(std::move(on_game)),
          missing_(numbers.begin(), numbers.end()),
          waiting_(numbers.begin(), numbers.end()) {}

    learn::bookmaking::Workspace& workspace_;
    const std::filesystem::path place_;
    const DuelJob game_;
    const OnGame on_game_;
    std::set<std::uint64_t> missing_;    // games that are not stored
    std::deque<std::uint64_t> waiting_;  // games that were not handed out
    learn::bookmaking::DuelReport report_;
};

}  // namespace tsumugi::fleet
