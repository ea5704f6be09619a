// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/rule/list.hpp"
#include "ensemble/tally.hpp"

namespace tsumugi::ensemble {
namespace {

// A majority in which the convinced count for more than the doubtful.
class WinRateSum : public Rule {
public:
    [[nodiscard]] shogi::Move decide(const Poll& poll, base::Random& random) const override {
        return random_choice(highest(tally(poll.ballots), [](const Candidate& each) { return each.win_rate_sum; }),
                             random);
    }
};

}  // namespace

std::unique_ptr<Rule> make_win_rate_sum(const RuleSettings&) { return std::make_unique<WinRateSum>(); }

}  // namespace tsumugi::ensemble
