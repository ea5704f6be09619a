// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/referee.hpp"

#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "shogi/movegen.hpp"

namespace tsumugi::arena {
namespace {

using shogi::Color;
using shogi::EnteringKingRule;

struct RuleName {
    EnteringKingRule rule;
    std::string_view name;
    std::string_view option;
};

constexpr std::array<RuleName, 6> rule_names{{
    {EnteringKingRule::points27, "27", "CSARule27"},
    {EnteringKingRule::points24, "24", "CSARule24"},
    {EnteringKingRule::points27_handicap, "27-handicap", "CSARule27H"},
    {EnteringKingRule::points24_handicap, "24-handicap", "CSARule24H"},
    {EnteringKingRule::try_rule, "try", "TryRule"},
    {EnteringKingRule::none, "none", "NoEnteringKing"},
}};

const RuleName& names_of(EnteringKingRule rule) {
    for (const RuleName& each : rule_names)
        if (each.rule == rule) return each;
    std::abort();  // unreachable: the table names every rule
}

// Did the last move bring the king to the square where the other one started?
bool reached_goal(const shogi::Position& position) {
    if (position.history() == 0) return false;
    const Color mover = ~position.side_to_move();
    const auto goal = mover == Color::black ? shogi::Square::at(5, 1) : shogi::Square::at(5, 9);
    return position.king(mover) == goal && position.state().move.to() == goal;
}

std::optional<Verdict> judge_repetition(const shogi::Position& position) {
    const Color us = position.side_to_move();
    switch (position.game_repetition()) {
        case shogi::Repetition::draw: return Verdict{std::nullopt, Reason::repetition, ""};
        case shogi::Repetition::win: return Verdict{us, Reason::perpetual_check, ""};
        case shogi::Repetition::loss: return Verdict{~us, Reason::perpetual_check, ""};
        case shogi::Repetition::none:
        case shogi::Repetition::superior:
        case shogi::Repetition::inferior: return std::nullopt;
    }
    std::abort();  // unreachable: the switch names every value
}

}  // namespace

base::Result<EnteringKingRule> parse_declaration_rule(std::string_view text) {
    for (const RuleName& each : rule_names)
        if (each.name == text) return each.rule;
    return base::Error{
        base::Error::Code::syntax,
        fmt::format("no declaration rule is called '{}'; there are 27, 24, 27-handicap, 24-handicap, try and none",
                    text)};
}

std::string_view name(EnteringKingRule rule) { return names_of(rule).name; }
std::string_view option_value(EnteringKingRule rule) { return names_of(rule).option; }

std::optional<Verdict> judge(const shogi::Position& position, const Rules& rules) {
    const Color us = position.side_to_move();
    if (!shogi::has_legal_move(position)) return Verdict{~us, Reason::checkmate, ""};
    if (rules.declaration == EnteringKingRule::try_rule && reached_goal(position))
        return Verdict{~us, Reason::try_rule, ""};
    if (auto repeated = judge_repetition(position)) return repeated;
    if (rules.max_moves > 0 && position.move_number() > rules.max_moves)
        return Verdict{std::nullopt, Reason::max_moves, ""};
    return std::nullopt;
}

Verdict judge_declaration(const shogi::Position& position, const Rules& rules) {
    const Color us = position.side_to_move();
    if (shogi::can_declare_win(position, position.in_check(), rules.declaration)) return {us, Reason::declaration, ""};
    return {~us, Reason::wrong_declaration,
            fmt::format("{} points by rule {}", shogi::declaration_points(position, us), name(rules.declaration))};
}

}  // namespace tsumugi::arena
