// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/verdict.hpp"

#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace tsumugi::arena {
namespace {

constexpr std::array<std::pair<Reason, std::string_view>, 17> names{{
    {Reason::checkmate, "checkmate"},
    {Reason::resignation, "resignation"},
    {Reason::declaration, "declaration"},
    {Reason::wrong_declaration, "wrong-declaration"},
    {Reason::try_rule, "try-rule"},
    {Reason::repetition, "repetition"},
    {Reason::perpetual_check, "perpetual-check"},
    {Reason::max_moves, "max-moves"},
    {Reason::illegal_move, "illegal-move"},
    {Reason::time, "time"},
    {Reason::crash, "crash"},
    {Reason::hang, "hang"},
    {Reason::garbage, "garbage"},
    {Reason::adjudicated_resign, "adjudicated-resign"},
    {Reason::adjudicated_draw, "adjudicated-draw"},
    {Reason::adjudicated_mate, "adjudicated-mate"},
    {Reason::interrupted, "interrupted"},
}};

}  // namespace

std::string_view name(Reason reason) {
    for (const auto& [value, text] : names)
        if (value == reason) return text;
    std::abort();  // unreachable: the table names every reason
}

base::Result<Reason> find_reason(std::string_view name) {
    for (const auto& [value, text] : names)
        if (text == name) return value;
    return base::Error{base::Error::Code::syntax, fmt::format("no game ends by '{}'", name)};
}

bool is_failure(Reason reason) {
    return reason == Reason::crash || reason == Reason::hang || reason == Reason::garbage;
}

record::Ending to_ending(const Verdict& verdict, shogi::Color to_move) {
    using record::Ending;
    switch (verdict.reason) {
        case Reason::checkmate: return Ending::mate;
        case Reason::resignation: return Ending::resign;
        case Reason::declaration: return Ending::declaration_win;
        case Reason::repetition: return Ending::repetition;
        case Reason::perpetual_check:
            // The word means a loss of the side to move.
            return verdict.winner == to_move ? Ending::opponent_illegal : Ending::perpetual_check;
        case Reason::max_moves: return Ending::max_moves;
        case Reason::wrong_declaration:
        case Reason::illegal_move:
        case Reason::garbage: return Ending::illegal_move;
        case Reason::time:
        case Reason::hang: return Ending::time_up;
        case Reason::adjudicated_draw: return Ending::draw;
        case Reason::try_rule:
        case Reason::adjudicated_resign:
        case Reason::adjudicated_mate: return Ending::resign;  // the loser is to move
        case Reason::crash: return Ending::error;
        case Reason::interrupted: return Ending::interrupted;
    }
    std::abort();  // unreachable: the switch names every value
}

}  // namespace tsumugi::arena
