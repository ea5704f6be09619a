// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "ensemble/ballot.hpp"

namespace tsumugi::ensemble {

// A move with what its voters gave it.
struct Candidate {
    shogi::Move move;
    std::size_t votes = 0;
    double weight = 0;        // sum over its voters
    double win_rate_sum = 0;  // the same
};

// Every move that was voted for, in the order of the first vote for it.
std::vector<Candidate> tally(std::span<const Ballot> ballots);

// The candidates that come first by one of the numbers. Sums of fractions that should be equal may differ in their last
// digits, so nearly the highest value is the highest.
template <typename Value>
std::vector<shogi::Move> highest(std::span<const Candidate> candidates, Value value) {
    double best = -1;
    for (const Candidate& each : candidates)
        best = std::max(best, static_cast<double>(value(each)));
    std::vector<shogi::Move> moves;
    for (const Candidate& each : candidates)
        if (static_cast<double>(value(each)) >= best - 1e-9) moves.push_back(each.move);
    return moves;
}

// Any of the moves, all equally likely.
shogi::Move random_choice(std::span<const shogi::Move> moves, base::Random& random);

// The move of the most voters; where several have as many, that of the voter who comes first in the list of players.
shogi::Move majority_or_first(std::span<const Ballot> ballots);

}  // namespace tsumugi::ensemble
