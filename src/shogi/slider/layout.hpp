// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "shogi/bitboard.hpp"

namespace tsumugi::shogi::slider {

// The occupied squares as two plain words, in an order of squares that need not be the ordinary one.
using Words = std::array<std::uint64_t, 2>;

// How squares are numbered on the board that indexes a table of attacks.
enum class Layout {
    file_major,  // the ordinary one of Bitboard
    rank_major,  // rank by rank, three ranks to 27 bits: a-c and d-f in the halves of the first word, g-i in the second
};

// Where a square is found: which word, and which bit of it.
struct Place {
    std::uint8_t word = 0;
    std::uint8_t bit = 0;

    [[nodiscard]] constexpr Words mask() const {
        Words words{};
        words[word] = std::uint64_t{1} << bit;
        return words;
    }
};

constexpr Place place(Layout layout, Square s) {
    const int index = s.index();
    if (layout == Layout::file_major)
        return index < Bitboard::low_squares ? Place{0, static_cast<std::uint8_t>(index)}
                                             : Place{1, static_cast<std::uint8_t>(index - Bitboard::low_squares)};
    const int group = (s.rank() - 1) / 3;
    const int row = 2 - (s.rank() - 1) % 3;
    const int bit = row * 9 + (s.file() - 1) + (group == 1 ? 32 : 0);
    return {static_cast<std::uint8_t>(group == 2 ? 1 : 0), static_cast<std::uint8_t>(bit)};
}

constexpr auto rank_major_masks = [] {
    std::array<Words, Square::count> table{};
    for (int i = 0; i < Square::count; ++i)
        table[static_cast<std::size_t>(i)] = place(Layout::rank_major, Square::from_index(i)).mask();
    return table;
}();

constexpr void flip(Words& words, const Words& mask) {
    words[0] ^= mask[0];
    words[1] ^= mask[1];
}

// A board in another layout.
constexpr Words words_of(Layout layout, const Bitboard& board) {
    if (layout == Layout::file_major) return {board.low(), board.high()};
    Words words{};
    board.for_each([&](Square s) { flip(words, rank_major_masks[s.slot()]); });
    return words;
}

}  // namespace tsumugi::shogi::slider
