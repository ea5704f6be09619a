// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "fleet/job_run.hpp"
#include "learn/selfplay_settings.hpp"
#include "record/archive.hpp"

namespace tsumugi::fleet {

// Games of self-play as jobs of some games each, collected in one archive. A game is known by its number, so one that
// comes twice is stored once, and an archive can be continued by anybody who has it.
class SelfplayRun : public JobSource {
public:
    // Told of every game that was stored.
    using OnGame = std::function<void(const record::ArchivedGame& game)>;

    // `settings.net` names a net as jobs do: empty, "material" or "sha256:HASH".
    static base::Result<std::unique_ptr<SelfplayRun>> open(const learn::SelfplaySettings& settings,
                                                           std::uint64_t games_a_job, OnGame on_game);

    std::optional<Piece> next() override;
    base::Result<void> take(std::uint64_t number, const std::string& payload) override;
    [[nodiscard]] bool complete() const override { return positions_ >= settings_.positions; }

    [[nodiscard]] std::uint64_t positions() const { return positions_; }
    [[nodiscard]] std::uint64_t games() const { return numbers_.size(); }
    // The same for the same settings and archive.
    [[nodiscard]] std::string name() const;

private:
    SelfplayRun(const learn::SelfplaySettings& settings, std::uint64_t games_a_job, record::ArchiveWriter writer,
                OnGame on_game)
        : settings_(settings), games_a_job_(games_a_job), writer_(std::move(writer)), on_game_(std::move(on_game)) {}
    base::Result<void> load();

    const learn::SelfplaySettings settings_;
    const std::uint64_t games_a_job_;
    record::ArchiveWriter writer_;
    OnGame on_game_;
    std::set<std::uint64_t> numbers_;  // of the games in the archive
    std::uint64_t positions_ = 0;
    std::uint64_t next_job_ = 0;
};

}  // namespace tsumugi::fleet
