// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "shogi/position.hpp"

namespace tsumugi::experiment {

// Where a search begins, and the position of the same game two plies earlier.
struct TestPosition {
    shogi::Position before;
    shogi::Position position;
};

struct PositionChoice {
    std::vector<std::string> games;  // records (files or folders) and archives
    std::size_t count = 100;
    int from_ply = 30;
    int to_ply = 80;
    std::uint64_t seed = 1;
};

// One position of each of so many games, all chosen by the seed; fewer when there are not enough games.
base::Result<std::vector<TestPosition>> take_positions(const PositionChoice& choice);

}  // namespace tsumugi::experiment
