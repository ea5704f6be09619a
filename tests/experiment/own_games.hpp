// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "experiment/game_position.hpp"
#include "support/data.hpp"

namespace tsumugi::experiment {

// The games that lie in the tree, as an experiment is told where to find games.
inline std::vector<std::string> own_games() { return {test::own_data("games").string()}; }

inline std::vector<TestPosition> own_positions(std::size_t count) {
    auto positions = take_positions({own_games(), count});
    EXPECT_TRUE(positions.ok()) << positions.error().message;
    return *std::move(positions);
}

}  // namespace tsumugi::experiment
