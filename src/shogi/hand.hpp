// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cassert>
#include <compare>
#include <cstdint>

#include "shogi/piece.hpp"

namespace tsumugi::shogi {

// The pieces one player holds, as counters in one word:
//   bits 0-4 pawn, 8-10 lance, 12-14 knight, 16-18 silver, 20-22 gold, 24-25 bishop, 28-29 rook.
// The bit above each counter stays clear; a subtraction that borrows sets it, so "holds at least as
// much of everything" is one subtraction and one mask.
class Hand {
public:
    constexpr Hand() = default;

    [[nodiscard]] constexpr int count(Kind k) const {
        return static_cast<int>((bits_ >> shift_[index(k)]) & mask_[index(k)]);
    }
    [[nodiscard]] constexpr bool has(Kind k) const { return (bits_ & (mask_[index(k)] << shift_[index(k)])) != 0; }
    [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
    // True when something other than pawns is held.
    [[nodiscard]] constexpr bool has_other_than_pawn() const { return (bits_ & ~mask_[index(Kind::pawn)]) != 0; }

    constexpr void add(Kind k, int n = 1) { bits_ += static_cast<std::uint32_t>(n) << shift_[index(k)]; }
    constexpr void remove(Kind k) {
        assert(has(k));
        bits_ -= 1U << shift_[index(k)];
    }

    // Holds at least as many of every kind as `other`.
    [[nodiscard]] constexpr bool covers(Hand other) const { return ((bits_ - other.bits_) & borrow_) == 0; }

    [[nodiscard]] constexpr std::uint32_t bits() const { return bits_; }
    static constexpr Hand from_bits(std::uint32_t bits) {
        Hand hand;
        hand.bits_ = bits;
        return hand;
    }

    constexpr bool operator==(const Hand&) const = default;

private:
    // Indexed by Kind: none, pawn, lance, knight, silver, bishop, rook, gold.
    static constexpr std::array<std::uint8_t, 8> shift_{0, 0, 8, 12, 16, 24, 28, 20};
    static constexpr std::array<std::uint32_t, 8> mask_{0, 31, 7, 7, 7, 3, 3, 7};
    static constexpr std::uint32_t borrow_ = 1U << 5 | 1U << 11 | 1U << 15 | 1U << 19 | 1U << 23 | 1U << 26 | 1U << 30;

    std::uint32_t bits_ = 0;
};

}  // namespace tsumugi::shogi
