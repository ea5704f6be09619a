// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "ensemble/rule/list.hpp"

namespace tsumugi::ensemble {
namespace {

// One player at a time. When the one in charge fails, the next in the list is asked with the time that is left.
class Switch : public Rule {
public:
    [[nodiscard]] std::vector<Question> questions(int round, const Poll& poll) const override {
        const auto tried = static_cast<std::size_t>(round);
        if (!poll.ballots.empty() || tried >= poll.players) return {};
        return {{(in_charge(poll) + tried) % poll.players, std::nullopt}};
    }
    [[nodiscard]] shogi::Move decide(const Poll& poll, base::Random& /*random*/) const override {
        return poll.ballots.front().move;
    }

private:
    [[nodiscard]] virtual std::size_t in_charge(const Poll& poll) const = 0;
};

class SwitchByPly : public Switch {
public:
    explicit SwitchByPly(int every) : every_(std::max(every, 1)) {}

private:
    [[nodiscard]] std::size_t in_charge(const Poll& poll) const override {
        return static_cast<std::size_t>(std::max(poll.move_number - 1, 0) / every_) % poll.players;
    }
    int every_;
};

// With two players the second one has the endgame as well.
class SwitchByPhase : public Switch {
public:
    SwitchByPhase(int middle_game, int endgame) : middle_game_(middle_game), endgame_(endgame) {}

private:
    [[nodiscard]] std::size_t in_charge(const Poll& poll) const override {
        const std::size_t phase = poll.move_number >= endgame_ ? 2 : poll.move_number >= middle_game_ ? 1 : 0;
        return std::min(phase, poll.players - 1);
    }
    int middle_game_;
    int endgame_;
};

}  // namespace

std::unique_ptr<Rule> make_switch_by_ply(const RuleSettings& settings) {
    return std::make_unique<SwitchByPly>(settings.switch_every);
}

std::unique_ptr<Rule> make_switch_by_phase(const RuleSettings& settings) {
    return std::make_unique<SwitchByPhase>(settings.middle_game_from, settings.endgame_from);
}

}  // namespace tsumugi::ensemble
