// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/csa_name.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tsumugi::record {
namespace {

using shogi::Color;
using shogi::Kind;

constexpr std::array<std::string_view, shogi::kind_slots> kind_names{"",   "FU", "KY", "KE", "GI", "KA", "HI", "KI",
                                                                     "OU", "TO", "NY", "NK", "NG", "UM", "RY"};

struct EndingName {
    std::string_view name;
    Ending ending;
};

constexpr std::array<EndingName, 18> ending_names{{
    {"TORYO", Ending::resign},
    {"CHUDAN", Ending::interrupted},
    {"SENNICHITE", Ending::repetition},
    {"OUTE_SENNICHITE", Ending::perpetual_check},
    {"KACHI", Ending::declaration_win},
    {"JISHOGI", Ending::impasse},
    {"HIKIWAKE", Ending::draw},
    {"MAX_MOVES", Ending::max_moves},
    {"TIME_UP", Ending::time_up},
    {"ILLEGAL_MOVE", Ending::illegal_move},
    {"+ILLEGAL_ACTION", Ending::illegal_by_black},
    {"-ILLEGAL_ACTION", Ending::illegal_by_white},
    {"TSUMI", Ending::mate},
    {"FUZUMI", Ending::no_mate},
    {"MATTA", Ending::takeback},
    {"FUJITE", Ending::sealed},
    {"FUUJITE", Ending::sealed},
    {"ERROR", Ending::error},
}};

}  // namespace

std::string_view csa_kind(Kind kind) { return kind_names[shogi::index(kind)]; }

Kind find_csa_kind(std::string_view name) {
    const auto* const found = std::find(kind_names.begin() + 1, kind_names.end(), name);
    return found == kind_names.end() ? Kind::none : static_cast<Kind>(found - kind_names.begin());
}

std::string_view csa_ending(Ending ending, Color to_move) {
    if (ending == Ending::opponent_illegal) return to_move == Color::black ? "-ILLEGAL_ACTION" : "+ILLEGAL_ACTION";
    for (const EndingName& each : ending_names)
        if (each.ending == ending) return each.name;
    return "CHUDAN";
}

std::optional<Ending> find_csa_ending(std::string_view name) {
    for (const EndingName& each : ending_names)
        if (each.name == name) return each.ending;
    return std::nullopt;
}

}  // namespace tsumugi::record
