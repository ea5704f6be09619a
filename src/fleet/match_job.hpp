// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "arena/match_config.hpp"
#include "arena/pool.hpp"
#include "fleet/agent_config.hpp"
#include "fleet/usi_filter.hpp"

namespace tsumugi::fleet {

// Games of a match for one worker: mostly a pair that begins alike.
struct MatchJob {
    std::vector<arena::EngineSpec> engines;
    arena::PoolSettings settings;
    std::vector<arena::Task> tasks;

    [[nodiscard]] std::string to_text() const;
    static base::Result<MatchJob> parse(std::string_view text);
};

// The games that were played, and those that were annulled before because a program failed.
struct MatchJobResult {
    struct Game {
        std::uint64_t number = 0;
        arena::PlayedGame game;
    };
    std::vector<Game> games;
    std::vector<Game> annulled;

    [[nodiscard]] std::string to_text() const;
    // Every move is checked: what comes from another machine is not to be trusted.
    static base::Result<MatchJobResult> parse(std::string_view text);
};

// Plays a job with the engines that this host offers.
base::Result<MatchJobResult> play(MatchJob job, const std::vector<OfferedEngine>& engines, const NetFiles& nets,
                                  const std::stop_token& stop);

}  // namespace tsumugi::fleet
