// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/rule.hpp"

#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "ensemble/rule/list.hpp"

namespace tsumugi::ensemble {

using base::Error;
using base::Result;

std::vector<Question> ask_everybody(const Poll& poll) {
    std::vector<Question> questions;
    for (std::size_t player = 0; player < poll.players; ++player)
        questions.push_back({player, std::nullopt});
    return questions;
}

std::vector<Question> Rule::questions(int round, const Poll& poll) const {
    return round == 0 ? ask_everybody(poll) : std::vector<Question>{};
}

std::span<const RuleEntry> all_rules() {
    static constexpr std::array rules{
        RuleEntry{"majority", "the most voters; a tie is decided at random", 1, make_majority},
        RuleEntry{"leader", "the most voters; a tie, as when all differ, is decided by the first player", 1,
                  make_leader},
        RuleEntry{"weighted", "the highest sum of the voters' weights; a tie is decided at random", 1, make_weighted},
        RuleEntry{"optimistic", "the player who sees the highest win rate", 1, make_optimistic},
        RuleEntry{"pessimistic", "the player who sees the lowest win rate", 1, make_pessimistic},
        RuleEntry{"win-rate-sum", "the highest sum of the voters' win rates", 1, make_win_rate_sum},
        RuleEntry{"two-then-third", "two players, and the third only where they differ", 3, make_two_then_third},
        RuleEntry{"exchange", "all judge the moves of the others; the best judged move wins", 2, make_exchange},
        RuleEntry{"switch-ply", "the players take turns, switch_every plies each", 2, make_switch_by_ply},
        RuleEntry{"switch-phase", "one player each for opening, middle game and endgame", 2, make_switch_by_phase},
    };
    return rules;
}

Result<std::unique_ptr<Rule>> make_rule(std::string_view name, const RuleSettings& settings, std::size_t players) {
    std::vector<std::string> names;
    for (const RuleEntry& entry : all_rules()) {
        names.emplace_back(entry.name);
        if (entry.name != name) continue;
        if (players < entry.fewest_players)
            return Error{Error::Code::range, fmt::format("the rule '{}' needs at least {} players, there are {}", name,
                                                         entry.fewest_players, players)};
        return entry.make(settings);
    }
    return Error{Error::Code::syntax,
                 fmt::format("there is no rule '{}'; there are {}", base::shorten(name, 40), base::join(names, ", "))};
}

}  // namespace tsumugi::ensemble
