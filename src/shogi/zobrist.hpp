// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "shogi/piece.hpp"
#include "shogi/square.hpp"

namespace tsumugi::shogi {

using Key = std::uint64_t;

// Random numbers that identify positions. A board key is the xor of its pieces' numbers; a hand key is a sum,
// so that the n-th piece of a kind needs no number of its own. Bit 0 of a board key is the side to move.
struct Zobrist {
    std::array<std::array<Key, Square::count>, Piece::slots> on_board;
    std::array<std::array<Key, 8>, 2> in_hand;
    static constexpr Key white_to_move = 1;
};

extern const Zobrist zobrist;

}  // namespace tsumugi::shogi
