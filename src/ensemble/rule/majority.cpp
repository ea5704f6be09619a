// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/rule/list.hpp"
#include "ensemble/tally.hpp"

namespace tsumugi::ensemble {
namespace {

// The rule of random consultation: copies of one player are equals, so nobody has the last word.
class Majority : public Rule {
public:
    [[nodiscard]] shogi::Move decide(const Poll& poll, base::Random& random) const override {
        return random_choice(highest(tally(poll.ballots), [](const Candidate& each) { return each.votes; }), random);
    }
};

}  // namespace

std::unique_ptr<Rule> make_majority(const RuleSettings&) { return std::make_unique<Majority>(); }

}  // namespace tsumugi::ensemble
