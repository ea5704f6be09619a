// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "base/progress.hpp"
#include "base/result.hpp"
#include "record/tool/game_line.hpp"
#include "search/threatmate.hpp"

namespace tsumugi::learn::threatmate {

// A move of which the mate solver knows whether it threatens mate.
struct Sample {
    search::threatmate::Features features;
    bool threat = false;
    std::size_t game = 0;  // number of the game it is from
};

struct SampleSettings {
    std::size_t threats = 6'000;         // enough of them, if there are so many
    int from_ply = 30;                   // moves of a game before that are not looked at
    std::uint64_t solver_nodes = 5'000;  // for each question; what is not settled then is left out
    std::uint64_t seed = 1;
    int threads = 1;
};

// What there was, and what became of it.
struct SampleSet {
    std::vector<Sample> samples;
    std::size_t games = 0;      // that were looked at
    std::size_t moves = 0;      // that were asked about
    std::size_t unsettled = 0;  // of which the solver did not find out

    [[nodiscard]] std::size_t threats() const;
};

// Every threat of mate that was played in the games, and two other moves for each as far as there are any: one that was
// legal in the same position, the other played in the same game. Checks are none of them. The same games and
// seed give the same samples with any number of threads. Progress counts threats.
base::Result<SampleSet> gather_samples(std::span<const record::tool::GameLine> games, const SampleSettings& settings,
                                       base::Progress& progress, const std::stop_token& stop);

}  // namespace tsumugi::learn::threatmate
