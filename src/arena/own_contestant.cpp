// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/own_contestant.hpp"

namespace tsumugi::arena {

using base::Result;

Result<void> OwnContestant::set_options(const OptionValues& options) {
    for (const auto& [name, value] : options)
        if (const auto set = engine_.options().set(name, value); !set) return set;
    return {};
}

Result<void> OwnContestant::new_game(const OptionValues& options) {
    if (!configured_) {
        // Nothing is lost on the way to a clock in the same process.
        const OptionValues usual{{"USI_Hash", "16"},
                                 {"MaxMovesToDraw", std::to_string(rules_.max_moves)},
                                 {"EnteringKingRule", std::string(option_value(rules_.declaration))},
                                 {"NetworkDelay", "0"},
                                 {"NetworkDelay2", "0"},
                                 {"MinimumThinkingTime", "0"},
                                 {"RoundUpToFullSecond", "false"},
                                 {"USI_Ponder", spec_.ponder ? "true" : "false"}};
        if (const auto set = set_options(usual); !set) return set;
        if (const auto set = set_options(spec_.options); !set) return set;
        configured_ = true;
    }
    if (const auto set = set_options(options); !set) return set;
    if (const auto ready = engine_.prepare(); !ready) return ready;
    engine_.new_game();
    return {};
}

void OwnContestant::complete(Reply& reply) const {
    // The engine knows more about its thoughts than it shows.
    const search::Outcome& outcome = engine_.outcome();
    if (outcome.best.is_none()) return;
    think::Line& thought = reply.thought.emplace();
    thought.score = outcome.score;
    thought.depth = outcome.depth;
    thought.nodes = outcome.nodes;
}

}  // namespace tsumugi::arena
