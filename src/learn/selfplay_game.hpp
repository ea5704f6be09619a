// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <stop_token>

#include "base/random.hpp"
#include "learn/footprint.hpp"
#include "learn/selfplay_settings.hpp"
#include "record/archive.hpp"
#include "search/searcher.hpp"

namespace tsumugi::learn {

// What making games cost and brought.
struct SelfplayTally {
    std::uint64_t games = 0;
    std::uint64_t positions = 0;  // with a score
    std::uint64_t plies = 0;
    std::uint64_t dropped_games = 0;  // for following an earlier one
    std::uint64_t searches = 0;
    std::uint64_t nodes = 0;
    std::uint64_t depths = 0;  // sum over the searches
    std::array<std::uint64_t, 3> results{};
    std::array<std::uint64_t, record::archived_ends> ends{};

    void add(const SelfplayTally& other);
};

// One player of both sides. What a game looks like depends on the settings and its number only, not on who plays it
// or what was played before.
class SelfplayPlayer {
public:
    SelfplayPlayer(const SelfplaySettings& settings, std::shared_ptr<const eval::Evaluator> evaluator,
                   const arena::OpeningSuite& suite, Footprints& footprints);

    // Nothing when stopped, or when the game followed an earlier one.
    std::optional<record::ArchivedGame> play(std::uint64_t number, const std::stop_token& stop);

    [[nodiscard]] const SelfplayTally& tally() const { return tally_; }

private:
    struct Plan;

    bool open_game(base::Random& random, record::ArchivedGame& game, shogi::Position& position,
                   const std::stop_token& stop);
    bool play_on(base::Random& random, const Plan& plan, record::ArchivedGame& game, shogi::Position& position,
                 const std::stop_token& stop);
    search::Outcome think(const shogi::Position& position, int lines, const std::stop_token& stop);
    search::Searcher& searcher_for(shogi::Color side);
    void clear();

    SelfplaySettings settings_;
    const arena::OpeningSuite& suite_;
    Footprints& footprints_;
    search::Settings search_settings_;
    std::array<search::Searcher, 2> searchers_;
    SelfplayTally tally_;
};

}  // namespace tsumugi::learn
