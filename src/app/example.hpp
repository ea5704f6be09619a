// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "shogi/setup.hpp"

namespace tsumugi::app {

// A position and the numbers that stand beside it.
struct Example {
    shogi::Setup setup;
    double score = 0;
    double result = 0.5;  // 1 when the side to move won
};

// Training data of any format, or lines of "SFEN", "SFEN <tab> score" or "SFEN <tab> score <tab> result (1, 0 or -1)".
base::Result<std::vector<Example>> read_examples(const std::string& path, std::size_t limit);

}  // namespace tsumugi::app
