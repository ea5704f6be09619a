// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/consultation.hpp"

#include <utility>

#include "ensemble/deliberation.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::ensemble {

using base::Result;

Result<std::unique_ptr<Consultation>> Consultation::create(Config config) {
    auto rule = make_rule(config.rule, config.rule_settings, config.members.size());
    if (!rule) return rule.error();
    return std::unique_ptr<Consultation>(new Consultation(std::move(config), *std::move(rule)));
}

Consultation::Consultation(Config config, std::unique_ptr<Rule> rule)
    : Group(std::move(config), "Tsumugi consultation"), rule_(std::move(rule)), random_(this->config().seed) {}

think::Answer Consultation::think(const shogi::Position& position, const think::Limits& limits,
                                  think::Observer& observer, std::stop_token stop) {
    const auto begin = limits.start.value_or(base::Clock::now());
    if (!shogi::has_legal_move(position)) return {};
    const search::Settings settings = this->settings();
    // Who analyses wants to see what the players think all the same.
    if (!limits.infinite)
        if (const auto known = known_answer(position, limits, settings.entering_king, observer)) {
            if (limits.ponder) wait_for_reply(*limits.ponder_signal, stop);
            return *known;
        }
    const TimeRules time = time_rules(settings);
    const Request request{position, limits, observer, std::move(stop), begin};
    return Deliberation(members(), *rule_, time, request, random_).run();
}

}  // namespace tsumugi::ensemble
