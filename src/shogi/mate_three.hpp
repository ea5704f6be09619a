// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "shogi/mate_one.hpp"

namespace tsumugi::shogi {

// Can each defence against the check that was just given be answered by mate?
template <typename P>
bool every_defence_is_mated(P& position, std::uint64_t& nodes) {
    MoveList defences;
    legal_moves(position, defences);
    for (const Move defence : defences) {
        ++nodes;
        position.do_move(defence);
        const bool mated = !mate_in_one(position).is_none();
        position.undo_move();
        if (!mated) return false;
    }
    return true;
}

// The first move of a mate in three plies, or none, found by trying every check and every defence; there must be no
// mate in one. The position comes back as it was. Counts the positions it looks at into `nodes`.
template <typename P>
Move mate_in_three(P& position, std::uint64_t& nodes) {
    MoveList checks;
    checking_moves(position, checks);
    for (const Move check : checks) {
        ++nodes;
        position.do_move(check);
        const bool mates = every_defence_is_mated(position, nodes);
        position.undo_move();
        if (mates) return check;
    }
    return Move::none();
}

}  // namespace tsumugi::shogi
