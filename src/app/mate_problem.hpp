// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "shogi/position.hpp"

namespace tsumugi::app {

struct MateProblem {
    std::string name;
    base::Result<shogi::Position> position;
};

// The problems of a file. Lines of SFEN, or of a name, a tab and SFEN (further columns are ignored), are taken as they
// stand; a game record (KIF, CSA, KI2, JKF or a board diagram) poses the position it starts from, a USI game the one it
// ends in.
base::Result<std::vector<MateProblem>> read_problems(const std::filesystem::path& file);

// One problem on the command line: SFEN.
MateProblem problem_from(std::string name, const std::string& sfen);

}  // namespace tsumugi::app
