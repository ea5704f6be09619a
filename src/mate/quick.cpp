// SPDX-License-Identifier: GPL-3.0-or-later
#include "mate/quick.hpp"

#include "shogi/mate_three.hpp"

namespace tsumugi::mate {

std::optional<Claim> quick_mate(const shogi::Position& position, std::uint64_t& nodes) {
    ++nodes;
    if (const shogi::Move at_once = shogi::mate_in_one(position); !at_once.is_none()) return Claim{at_once, 1};
    shogi::Position p = position;
    const shogi::Move first = shogi::mate_in_three(p, nodes);
    if (first.is_none()) return std::nullopt;
    return Claim{first, quick_plies};
}

}  // namespace tsumugi::mate
