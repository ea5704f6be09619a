// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "mate/verifier.hpp"
#include "shogi/position.hpp"

namespace tsumugi::mate {

// The longest mate that quick_mate finds.
constexpr Plies quick_plies = 3;

// The first move of a mate in one or three plies, the shorter if there are both, found by trying every check and every
// defence. Most problems from games are that short, and for them a table is only in the way. Counts the positions it
// looks at into `nodes`.
std::optional<Claim> quick_mate(const shogi::Position& position, std::uint64_t& nodes);

}  // namespace tsumugi::mate
