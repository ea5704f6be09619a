// SPDX-License-Identifier: GPL-3.0-or-later
#include "shogi/zobrist.hpp"

#include "base/random.hpp"

namespace tsumugi::shogi {
namespace {

constexpr Zobrist make_numbers() {
    Zobrist z{};
    base::SplitMix64 random(20210503);
    // Even numbers leave the side-to-move bit of a key alone, in sums too.
    const auto even = [&] { return random() & ~Zobrist::white_to_move; };
    for (const Color c : both_colors) {
        for (const Kind k : all_kinds)
            for (auto& number : z.on_board[Piece(c, k).slot()])
                number = even();
        for (const Kind k : hand_kinds)
            z.in_hand[index(c)][index(k)] = even();
    }
    return z;
}

}  // namespace

constinit const Zobrist zobrist = make_numbers();

}  // namespace tsumugi::shogi
