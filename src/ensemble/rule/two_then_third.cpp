// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/rule/list.hpp"
#include "ensemble/tally.hpp"

namespace tsumugi::ensemble {
namespace {

// Two players who agree need nobody else, which saves the third one's time for the moves that are worth it.
class TwoThenThird : public Rule {
public:
    [[nodiscard]] std::vector<Question> questions(int round, const Poll& poll) const override {
        if (round == 0) return {{0, std::nullopt}, {1, std::nullopt}};
        if (round > 1 || agree(poll)) return {};
        return {{2, std::nullopt}};
    }
    // The third one gets as long as the first two had.
    [[nodiscard]] double share(int round, const Poll& /*poll*/) const override { return round == 0 ? 0.5 : 1; }
    [[nodiscard]] shogi::Move decide(const Poll& poll, base::Random& /*random*/) const override {
        return majority_or_first(poll.ballots);
    }

private:
    // A player alone does not agree with anybody: where one of the two is missing the third is asked as well.
    static bool agree(const Poll& poll) {
        return poll.ballots.size() == 2 && poll.ballots[0].move == poll.ballots[1].move;
    }
};

}  // namespace

std::unique_ptr<Rule> make_two_then_third(const RuleSettings&) { return std::make_unique<TwoThenThird>(); }

}  // namespace tsumugi::ensemble
