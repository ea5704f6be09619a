// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "shogi/color.hpp"

namespace tsumugi::shogi {

// One of the 81 squares, numbered file by file: 1a = 0, 1b = 1, … 9i = 80, so that a step along a file is ±1.
class Square {
public:
    static constexpr int count = 81;

    constexpr Square() = default;

    static constexpr Square from_index(int i) {
        assert(0 <= i && i < count);
        return Square(static_cast<std::uint8_t>(i));
    }
    static constexpr Square from_index(std::size_t i) { return from_index(static_cast<int>(i)); }
    static constexpr Square at(int file, int rank) { return from_index((file - 1) * 9 + (rank - 1)); }
    // The place of a piece that is not on the board (a king missing from a mate problem).
    static constexpr Square none() { return Square(count); }

    [[nodiscard]] constexpr bool is_none() const { return value_ == count; }
    [[nodiscard]] constexpr int index() const { return value_; }
    [[nodiscard]] constexpr std::size_t slot() const { return value_; }
    [[nodiscard]] constexpr int file() const { return value_ / 9 + 1; }
    [[nodiscard]] constexpr int rank() const { return value_ % 9 + 1; }
    [[nodiscard]] constexpr Square rotated() const { return from_index(count - 1 - value_); }
    [[nodiscard]] constexpr Square mirrored() const { return at(10 - file(), rank()); }
    // The rank as `c` counts it: 1 is the farthest rank of the opponent's camp.
    [[nodiscard]] constexpr int rank_for(Color c) const { return c == Color::black ? rank() : 10 - rank(); }
    [[nodiscard]] constexpr bool in_promotion_zone(Color c) const { return rank_for(c) <= 3; }

    constexpr auto operator<=>(const Square&) const = default;

private:
    explicit constexpr Square(std::uint8_t v) : value_(v) {}
    std::uint8_t value_ = count;
};

static_assert(Square::at(7, 6).rotated() == Square::at(3, 4));
static_assert(Square::at(7, 6).mirrored() == Square::at(3, 6));

}  // namespace tsumugi::shogi
