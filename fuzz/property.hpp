// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/result.hpp"
#include "record/game.hpp"

namespace tsumugi::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

// Stops the run, which makes libFuzzer keep the input.
inline void require(bool condition, const char* claim) {
    if (condition) return;
    std::fprintf(stderr, "broken property: %s\n", claim);
    std::abort();
}

// What must hold for a format that may say less than a Game holds: the text written for a game is readable and has the
// same start and moves, and from then on nothing is lost any more.
template <typename Parse, typename Write>
void check_round_trip(const record::Game& first, Parse&& parse, Write&& write) {
    const base::Result<std::string> text = write(first);
    if (!text) return;  // refused with a reason: the format has no words for this game
    const base::Result<record::Game> second = parse(*text);
    require(second.ok(), "what was written can be read");
    require(second->start.board == first.start.board && second->start.hands == first.start.hands, "the start survives");
    require(second->main_moves() == first.main_moves(), "the main line survives");
    const base::Result<std::string> again = write(*second);
    require(again.ok(), "what was read can be written again");
    const base::Result<record::Game> third = parse(*again);
    require(third.ok() && *third == *second, "the second round changes nothing");
}

}  // namespace tsumugi::fuzz
