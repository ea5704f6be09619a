// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "shogi/movegen.hpp"

namespace tsumugi::shogi {

// Leaves of the full game tree. With `bulk`, the last ply is counted without playing its moves.
template <typename P>
std::uint64_t perft(P& position, int depth, bool bulk = true) {
    if (depth == 0) return 1;
    if (bulk && depth == 1) return static_cast<std::uint64_t>(count_legal_moves(position));
    MoveList moves;
    legal_moves(position, moves);
    std::uint64_t leaves = 0;
    for (const Move move : moves) {
        position.do_move(move);
        leaves += perft(position, depth - 1, bulk);
        position.undo_move();
    }
    return leaves;
}

}  // namespace tsumugi::shogi
