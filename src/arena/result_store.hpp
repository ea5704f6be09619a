// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arena/game_play.hpp"
#include "arena/standing.hpp"
#include "store/sqlite.hpp"

namespace tsumugi::arena {

// A finished game with its place in the match.
struct StoredGame {
    std::uint64_t number = 0;
    std::uint64_t pair = 0;
    std::array<std::size_t, 2> engine{};  // by colour
    std::string ended;                    // when, as ISO 8601
    PlayedGame game;

    [[nodiscard]] Outcome outcome() const { return {pair, engine, game.verdict.half_points(shogi::Color::black)}; }
};

// A failure of a program after which the game was played again.
struct StoredFailure {
    std::uint64_t game = 0;
    std::size_t engine = 0;
    std::string reason;
    std::string detail;
};

// The results of a match in an SQLite file. A game is there whole or not at all, whenever the program is killed.
class ResultStore {
public:
    // For playing: creates the file, or continues it if it holds the same match.
    static base::Result<ResultStore> open(const std::filesystem::path& file, const nlohmann::ordered_json& description);
    // For reading, also while somebody plays.
    static base::Result<ResultStore> read(const std::filesystem::path& file);

    base::Result<void> add(const StoredGame& game);
    base::Result<void> add(const StoredFailure& failure);
    // What the last run asked for (number of games, sequential test).
    base::Result<void> set_plan(const nlohmann::ordered_json& plan);

    [[nodiscard]] base::Result<nlohmann::ordered_json> description();
    [[nodiscard]] base::Result<nlohmann::ordered_json> plan();
    // In the order in which they ended.
    base::Result<void> for_each_game(const std::function<void(const StoredGame&)>& visit);
    [[nodiscard]] base::Result<std::vector<StoredFailure>> failures();

private:
    explicit ResultStore(store::Database database) : database_(std::move(database)) {}
    base::Result<void> begin(const nlohmann::ordered_json& description);

    store::Database database_;
};

// The present time, as ISO 8601 in UTC.
std::string timestamp();

}  // namespace tsumugi::arena
