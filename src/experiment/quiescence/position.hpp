// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "shogi/position.hpp"

namespace tsumugi::experiment::quiescence {

struct SampleChoice {
    std::vector<std::string> games;  // records (files or folders) and archives; the first are taken first
    std::size_t count = 1000;
    int from_ply = 30;
    std::uint64_t seed = 1;
};

// One position of each of the first so many games, after the first moves and before the last one. Games give a second
// one, and so on, when there are too few of them.
base::Result<std::vector<shogi::Position>> sample_positions(const SampleChoice& choice);

// How far a game has come, from 0 to 15: the squares within two steps of a king that the other side attacks, of the
// king that is worse off.
constexpr int most_progress = 15;
int progress_of(const shogi::Position& position);

// The paper's division of a scale of 0 to 15.
enum class Phase { opening, middle, end };
constexpr std::array<std::string_view, 3> phase_names{"opening", "middle", "end"};
constexpr Phase phase_of(int progress) {
    return progress <= 4 ? Phase::opening : progress <= 9 ? Phase::middle : Phase::end;
}

}  // namespace tsumugi::experiment::quiescence
