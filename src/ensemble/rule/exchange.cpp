// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "ensemble/rule/list.hpp"
#include "ensemble/tally.hpp"

namespace tsumugi::ensemble {
namespace {

// Each player says what it thinks of the others' moves, so that a move that only looks good to its finder is found out.
// A move counts what all who judged it, its voters included, think of it on average; with everybody's judgement that
// orders the moves as the sum does, and a judgement that did not come in time speaks neither for nor against the move.
class Exchange : public Rule {
public:
    // One move of the others for each player and round, as many rounds as there are moves besides its own.
    [[nodiscard]] std::vector<Question> questions(int round, const Poll& poll) const override {
        if (round == 0) return ask_everybody(poll);
        const auto candidates = tally(poll.ballots);
        std::vector<Question> questions;
        if (static_cast<std::size_t>(round) >= candidates.size()) return questions;
        for (const Ballot& ballot : poll.ballots) {
            const auto own = std::find_if(candidates.begin(), candidates.end(),
                                          [&](const Candidate& each) { return each.move == ballot.move; });
            const auto place = static_cast<std::size_t>(own - candidates.begin()) + static_cast<std::size_t>(round);
            questions.push_back({ballot.player, candidates[place % candidates.size()].move});
        }
        return questions;
    }
    // Half for finding moves; the other half for the judgements, in equal parts.
    [[nodiscard]] double share(int round, const Poll& poll) const override {
        if (round == 0) return 0.5;
        return 1 / static_cast<double>(static_cast<int>(tally(poll.ballots).size()) - round);
    }
    [[nodiscard]] shogi::Move decide(const Poll& poll, base::Random& random) const override {
        return random_choice(highest(tally(poll.ballots), [&](const Candidate& each) { return judgement(each, poll); }),
                             random);
    }

private:
    static double judgement(const Candidate& candidate, const Poll& poll) {
        double sum = candidate.win_rate_sum;
        std::size_t judges = candidate.votes;
        for (const Opinion& opinion : poll.opinions)
            if (opinion.move == candidate.move) {
                sum += opinion.win_rate;
                ++judges;
            }
        return sum / static_cast<double>(judges);
    }
};

}  // namespace

std::unique_ptr<Rule> make_exchange(const RuleSettings&) { return std::make_unique<Exchange>(); }

}  // namespace tsumugi::ensemble
