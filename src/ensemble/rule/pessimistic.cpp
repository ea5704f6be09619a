// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "ensemble/rule/list.hpp"

namespace tsumugi::ensemble {
namespace {

// Believes whoever has seen the danger.
class Pessimistic : public Rule {
public:
    [[nodiscard]] shogi::Move decide(const Poll& poll, base::Random& /*random*/) const override {
        // Of equals the first, who should be the strongest.
        return std::min_element(poll.ballots.begin(), poll.ballots.end(),
                                [](const Ballot& a, const Ballot& b) {
                                    return a.win_rate != b.win_rate ? a.win_rate < b.win_rate : a.player < b.player;
                                })
            ->move;
    }
};

}  // namespace

std::unique_ptr<Rule> make_pessimistic(const RuleSettings&) { return std::make_unique<Pessimistic>(); }

}  // namespace tsumugi::ensemble
