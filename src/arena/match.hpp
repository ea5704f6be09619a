// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "arena/match_config.hpp"
#include "arena/result_store.hpp"
#include "base/descriptor.hpp"

namespace tsumugi::arena {

// A match in progress: knows which games are left, and keeps what comes out of them. Opening the same configuration
// again continues where it was.
class Match : public TaskSource {
public:
    // Told about every game right after it was stored.
    using Listener = std::function<void(const StoredGame& game, const Standing& standing)>;
    using FailureListener = std::function<void(const StoredFailure& failure)>;

    static base::Result<std::unique_ptr<Match>> open(const MatchConfig& config);

    void on_game(Listener listener) { listener_ = std::move(listener); }
    void on_failure(FailureListener listener) { failure_listener_ = std::move(listener); }

    base::Result<void> run(std::stop_token stop);

    [[nodiscard]] const Standing& standing() const { return standing_; }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] std::uint64_t games() const { return schedule_.games(); }
    // All games are played, or the sequential test is decided.
    [[nodiscard]] bool complete() const;

    std::optional<Task> next() override;
    base::Result<void> finished(const Task& task, const PlayedGame& game) override;
    base::Result<void> annulled(const Task& task, const PlayedGame& game) override;

private:
    Match(MatchConfig config, std::filesystem::path folder, base::Descriptor lock, OpeningSuite openings,
          ResultStore results, std::optional<report::Sprt> sprt);
    base::Result<void> load();
    base::Result<void> write_records(const StoredGame& game) const;

    MatchConfig config_;
    std::filesystem::path folder_;
    base::Descriptor lock_;  // nobody else plays in this folder while it is held
    OpeningSuite openings_;
    ResultStore results_;
    Schedule schedule_;
    Standing standing_;
    std::set<std::uint64_t> played_;
    std::uint64_t next_ = 0;
    Listener listener_;
    FailureListener failure_listener_;
};

// The file of the results in the folder of a match.
constexpr std::string_view result_file = "match.db";

}  // namespace tsumugi::arena
