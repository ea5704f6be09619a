// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "shogi/move.hpp"
#include "shogi/setup.hpp"

namespace tsumugi::record::tool {

// What was played, without comments and variations.
struct GameLine {
    shogi::Setup start;
    std::vector<shogi::Move> moves;  // all legal: a record that breaks the rules ends before it does
};

// The main lines of records (files, or folders of them) and of archives (named themselves), at most so many.
base::Result<std::vector<GameLine>> read_game_lines(const std::vector<std::string>& inputs,
                                                    std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace tsumugi::record::tool
