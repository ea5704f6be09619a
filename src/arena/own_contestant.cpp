// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/own_contestant.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace tsumugi::arena {

using base::Error;
using base::Result;

Result<void> OwnContestant::set_options(const OptionValues& options) {
    for (const auto& [name, value] : options)
        if (const auto set = engine_.options().set(name, value); !set) return set;
    return {};
}

Result<void> OwnContestant::set_parameters(const OptionValues& values) {
    search::Parameters parameters = engine_.parameters();
    for (const auto& [name, value] : values) {
        const search::Tunable* const tunable = find_tunable(name);
        if (tunable == nullptr)
            return Error{Error::Code::range, fmt::format("the search has no number called '{}'", name)};
        const auto number = base::parse_number<int>(value, tunable->minimum, tunable->maximum);
        if (!number) return number.error().in(name);
        parameters.*(tunable->member) = *number;
    }
    engine_.set_parameters(parameters);
    return {};
}

const search::Tunable* find_tunable(std::string_view name) {
    for (const search::Tunable& each : search::tunables())
        if (base::to_lower(each.name) == base::to_lower(name)) return &each;
    return nullptr;
}

Result<void> OwnContestant::new_game(const OptionValues& values) {
    if (!configured_) {
        // Nothing is lost on the way to a clock in the same process.
        const OptionValues usual{{"USI_Hash", "16"},
                                 {"MaxMovesToDraw", std::to_string(rules_.max_moves)},
                                 {"EnteringKingRule", std::string(option_value(rules_.declaration))},
                                 {"NetworkDelay", "0"},
                                 {"NetworkDelay2", "0"},
                                 {"MinimumThinkingTime", "0"},
                                 {"RoundUpToFullSecond", "false"},
                                 {"USI_OwnBook", "false"},  // who compares engines says so when books shall take part
                                 {"USI_Ponder", spec_.ponder ? "true" : "false"}};
        if (const auto set = set_options(usual); !set) return set;
        if (const auto set = set_options(spec_.lasting_options()); !set) return set;
        if (const auto set = set_parameters(spec_.parameters); !set) return set;
        configured_ = true;
    }
    OptionValues parameters;
    OptionValues options;
    for (const auto& each : values)
        (find_tunable(each.first) != nullptr ? parameters : options).push_back(each);
    if (const auto set = set_options(options); !set) return set;
    if (const auto set = set_parameters(parameters); !set) return set;
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
