// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arena/result_store.hpp"
#include "arena/standing.hpp"

namespace tsumugi::arena {

// How one engine spent its moves.
struct EngineUsage {
    std::uint64_t moves = 0;
    std::uint64_t thoughtful_moves = 0;  // those for which it told depth and nodes
    std::uint64_t depth = 0;             // sums
    std::uint64_t nodes = 0;
    Microseconds thoughtful_time{};
    Microseconds time{};
    Microseconds longest{};
    std::map<Reason, std::uint64_t> losses_by;  // games it lost, and why
    std::uint64_t annulled = 0;                 // games that were replayed because it failed

    void add(const PlayedMove& move);
};

// Everything that can be said about a match, collected from its results.
struct MatchReport {
    std::vector<std::string> engines;
    std::vector<std::string> limits;
    Standing standing{std::nullopt};
    std::vector<EngineUsage> usage;
    std::map<Reason, std::uint64_t> endings;
    std::array<std::uint64_t, 3> by_color{};  // games won by Black, drawn, won by White
    // Openings in the order they were first used: games and half points for Black.
    struct OpeningResult {
        std::string opening;
        std::uint64_t games = 0;
        std::uint64_t black_half_points = 0;
    };
    std::vector<OpeningResult> openings;
    std::uint64_t plies = 0;
    std::uint64_t duplicates = 0;    // games that repeat an earlier one move by move
    std::vector<double> elo_course;  // after each finished game, of the first engine (two engines only)

    static base::Result<MatchReport> collect(ResultStore& results);

    [[nodiscard]] std::string to_text() const;
    [[nodiscard]] nlohmann::ordered_json to_json() const;
    [[nodiscard]] std::string to_html() const;
};

}  // namespace tsumugi::arena
