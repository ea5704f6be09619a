// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/tally.hpp"

namespace tsumugi::ensemble {

std::vector<Candidate> tally(std::span<const Ballot> ballots) {
    std::vector<Candidate> candidates;
    for (const Ballot& ballot : ballots) {
        auto found = std::find_if(candidates.begin(), candidates.end(),
                                  [&](const Candidate& each) { return each.move == ballot.move; });
        if (found == candidates.end()) found = candidates.insert(candidates.end(), Candidate{.move = ballot.move});
        ++found->votes;
        found->weight += ballot.weight;
        found->win_rate_sum += ballot.win_rate;
    }
    return candidates;
}

shogi::Move random_choice(std::span<const shogi::Move> moves, base::Random& random) {
    return moves[random.below(moves.size())];
}

shogi::Move majority_or_first(std::span<const Ballot> ballots) {
    const auto moves = highest(tally(ballots), [](const Candidate& each) { return each.votes; });
    const Ballot* first = nullptr;
    for (const Ballot& ballot : ballots)
        if (std::find(moves.begin(), moves.end(), ballot.move) != moves.end())
            if (first == nullptr || ballot.player < first->player) first = &ballot;
    return first->move;
}

}  // namespace tsumugi::ensemble
