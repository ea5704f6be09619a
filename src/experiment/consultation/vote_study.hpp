// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "base/progress.hpp"
#include "eval/evaluation.hpp"
#include "experiment/consultation/line_up.hpp"
#include "experiment/game_position.hpp"

namespace tsumugi::experiment::consultation {

// How a group voted, position by position.
struct VoteCount {
    double sigma = 0;
    std::uint64_t positions = 0;
    std::vector<std::uint64_t> by_moves;  // positions with 1, 2, … different moves voted for
    std::uint64_t decided_as_plain = 0;   // positions where the group decides as the plain engine does
    std::uint64_t voted_as_plain = 0;     // single votes for the move of the plain engine

    [[nodiscard]] double mean_moves() const;
};

// So many players with each noise vote on every position, each from an empty table.
base::Result<std::vector<VoteCount>> count_votes(const Setting& setting, int players, std::span<const double> sigmas,
                                                 std::uint64_t nodes, std::span<const TestPosition> positions,
                                                 base::Progress& progress, const std::stop_token& stop);

// What an evaluation makes of a pawn that changes hands: the samples are the differences between a position and the
// same with a pawn taken from one hand and put into the other, for whom it is won. Positions without pawns in hand give
// none.
std::vector<double> pawn_exchanges(const eval::Evaluator& evaluator, std::span<const TestPosition> positions);

}  // namespace tsumugi::experiment::consultation
