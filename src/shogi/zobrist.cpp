// SPDX-License-Identifier: GPL-3.0-or-later
#include "shogi/zobrist.hpp"

namespace tsumugi::shogi {
namespace {

// SplitMix64: a counter through an invertible mixer, enough for numbers that must only be distinct and random.
constexpr Key mixed(std::uint64_t counter) {
    std::uint64_t z = counter * 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

constexpr Zobrist make_numbers() {
    Zobrist z{};
    std::uint64_t counter = 20210503;
    for (const Color c : both_colors) {
        for (const Kind k : all_kinds)
            for (auto& number : z.on_board[Piece(c, k).slot()]) number = mixed(++counter) & ~Zobrist::white_to_move;
        // Even, so that sums leave the side-to-move bit of a combined key alone.
        for (const Kind k : hand_kinds) z.in_hand[index(c)][index(k)] = mixed(++counter) & ~Zobrist::white_to_move;
    }
    return z;
}

}  // namespace

constinit const Zobrist zobrist = make_numbers();

}  // namespace tsumugi::shogi
