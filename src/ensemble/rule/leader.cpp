// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/rule/list.hpp"
#include "ensemble/tally.hpp"

namespace tsumugi::ensemble {
namespace {

// For different programs. When all differ every move has one vote, and the first player, who should be the strongest,
// has its way.
class Leader : public Rule {
public:
    [[nodiscard]] shogi::Move decide(const Poll& poll, base::Random& /*random*/) const override {
        return majority_or_first(poll.ballots);
    }
};

}  // namespace

std::unique_ptr<Rule> make_leader(const RuleSettings&) { return std::make_unique<Leader>(); }

}  // namespace tsumugi::ensemble
