// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "base/result.hpp"
#include "eval/evaluation.hpp"
#include "experiment/sliders/quartile.hpp"
#include "shogi/setup.hpp"

namespace tsumugi::experiment::sliders {

struct SpeedOptions {
    std::uint64_t seed = 1;
    int rounds = 15;
    int passes = 8;      // over all boards in a round; even, because toggling twice changes nothing
    int even_depth = 5;  // perft of the even start position
    int game_depth = 3;  // perft of every game position
    // The whole engine: a fixed number of nodes from the start position, and over all positions together.
    int engine_rounds = 10;  // 0 leaves it out
    std::uint64_t engine_nodes = 1'000'000;
    std::shared_ptr<const eval::Evaluator> evaluator;
};

// Millions a second, and the same as a share of what rotated bitboards reach in the same round.
struct Speed {
    Quartiles rate;
    Quartiles share;
};
struct MethodSpeed {
    std::string method;
    std::size_t table_bytes = 0;
    std::size_t state_bytes = 0;
    Speed random_bishop, random_rook, random_lance;  // boards with every square occupied by chance
    Speed game_bishop, game_rook, game_lance;        // boards of the game positions
    Speed toggle;
    Speed even_perft, game_perft;
    Speed even_engine, game_engine;
};

// Positions of games in which every move was drawn by lot.
std::vector<shogi::Setup> random_game_positions(std::uint64_t seed, std::size_t count);

// Every method in turn, round after round, so that whatever else the machine does meets all of them alike. Time is
// processor time. Methods that disagree are an error. Progress counts rounds, with one more to warm up in each race.
// The engine searches `problems`, everything else uses `positions`.
constexpr int speed_races = 9;
constexpr int engine_races = 2;
base::Result<std::vector<MethodSpeed>> study_speed(const SpeedOptions& options, std::span<const shogi::Setup> positions,
                                                   std::span<const shogi::Setup> problems, base::Progress& progress);

}  // namespace tsumugi::experiment::sliders
