// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "base/progress.hpp"
#include "experiment/council.hpp"
#include "experiment/game_position.hpp"

namespace tsumugi::experiment::two_then_third {

// Move numbers, both included.
struct Phase {
    int from = 0;
    int to = 0;
};

// From the move numbers that phases begin with; the last one has no end.
std::vector<Phase> phases_of(const std::vector<int>& begins);

// How often the first two of three players would play the same, and whom the third one joins where they do not.
struct Agreement {
    std::uint64_t positions = 0;
    std::uint64_t agreed = 0;
    std::uint64_t third_with_first = 0;  // of those where the two differ
    std::uint64_t third_with_second = 0;
    std::uint64_t all_differ = 0;
};

// The players know nothing of other positions. All three are asked everywhere.
base::Result<Agreement> measure_agreement(const std::vector<arena::EngineSpec>& players,
                                          std::span<const TestPosition> positions, base::Progress& progress,
                                          const std::stop_token& stop);

}  // namespace tsumugi::experiment::two_then_third
