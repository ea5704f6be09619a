// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/rule/list.hpp"
#include "ensemble/tally.hpp"

namespace tsumugi::ensemble {
namespace {

// Players of different strength.
class Weighted : public Rule {
public:
    [[nodiscard]] shogi::Move decide(const Poll& poll, base::Random& random) const override {
        return random_choice(highest(tally(poll.ballots), [](const Candidate& each) { return each.weight; }), random);
    }
};

}  // namespace

std::unique_ptr<Rule> make_weighted(const RuleSettings&) { return std::make_unique<Weighted>(); }

}  // namespace tsumugi::ensemble
