// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "base/clock.hpp"
#include "learn/selfplay_game.hpp"

namespace tsumugi::learn {

// What an archive holds already.
struct ArchiveSummary {
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t next_number = 0;  // after the highest
    std::uint64_t bytes = 0;

    static base::Result<ArchiveSummary> of(const std::filesystem::path& archive);
};

// Everything that is needed to make the same games again, as JSON.
base::Result<std::string> selfplay_provenance(const SelfplaySettings& settings, const std::string& evaluation,
                                              std::uint64_t first_number);

// Plays games until an archive holds enough positions. It may be killed at any moment: the games since the last block
// are lost, nothing else, and the same call goes on.
class Selfplay {
public:
    static base::Result<std::unique_ptr<Selfplay>> open(const SelfplaySettings& settings);

    // Called after every game, by the thread that played it, one at a time.
    using OnGame = std::function<void(const record::ArchivedGame& game)>;
    base::Result<void> run(const OnGame& on_game, std::stop_token stop);

    [[nodiscard]] const ArchiveSummary& before() const { return before_; }
    [[nodiscard]] const SelfplayTally& tally() const { return tally_; }
    [[nodiscard]] double seconds() const { return seconds_; }
    [[nodiscard]] std::uint64_t archive_bytes() const { return writer_.bytes(); }
    [[nodiscard]] const std::string& provenance() const { return provenance_; }
    [[nodiscard]] std::string evaluation() const { return evaluator_->description(); }

private:
    Selfplay(const SelfplaySettings& settings, record::ArchiveWriter writer)
        : settings_(settings), writer_(std::move(writer)), footprints_(settings.remembered_positions) {}

    void work(SelfplayPlayer& player, const OnGame& on_game, const std::stop_token& stop);
    bool take_number(std::uint64_t& number);
    base::Result<void> store(const record::ArchivedGame& game);

    const SelfplaySettings settings_;
    record::ArchiveWriter writer_;
    Footprints footprints_;
    arena::OpeningSuite suite_;
    std::shared_ptr<const eval::Evaluator> evaluator_;
    std::string provenance_;
    ArchiveSummary before_;

    std::mutex mutex_;  // guards what follows, and the writer
    std::uint64_t next_number_ = 0;
    std::uint64_t positions_ = 0;
    base::Stopwatch since_flush_;
    base::Result<void> problem_;

    SelfplayTally tally_;
    double seconds_ = 0;
};

}  // namespace tsumugi::learn
