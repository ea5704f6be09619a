// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/slider/magic_finder.hpp"

namespace tsumugi::shogi::slider {

// The sequence of candidates that belongs to a piece on a square: three random words joined by "and", and seeds so
// far apart that no two sequences meet.
constexpr MagicSequence magic_sequence(Layout layout, Movement movement, Square s) {
    const auto table = static_cast<std::uint64_t>(layout) * 3 + static_cast<std::uint64_t>(movement);
    return {(table * Square::count + s.slot()) << 32, 3};
}

// The number, in that sequence, of the first candidate without a collision. MagicFinder::find finds all of them again
// in a few seconds; they are kept so that start-up does not have to.
std::uint32_t magic_number(Layout layout, Movement movement, Square s);

}  // namespace tsumugi::shogi::slider
