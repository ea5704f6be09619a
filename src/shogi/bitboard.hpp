// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "shogi/square.hpp"

namespace tsumugi::shogi {

// A set of squares. Files 1-7 are bits 0-62 of the low word, files 8-9 bits 0-17 of the high word, so no
// file is cut in two and a step along a file is a shift by one within a word. Bit 63 of the low word and
// everything above bit 17 of the high word are always clear.
class Bitboard {
public:
    static constexpr int low_squares = 63;
    static constexpr std::uint64_t low_mask = (std::uint64_t{1} << 63) - 1;
    static constexpr std::uint64_t high_mask = (std::uint64_t{1} << 18) - 1;

    constexpr Bitboard() = default;
    constexpr Bitboard(std::uint64_t low, std::uint64_t high) : low_(low), high_(high) {}
    explicit constexpr Bitboard(Square s)
        : low_(s.index() < low_squares ? std::uint64_t{1} << s.index() : 0),
          high_(s.index() < low_squares ? 0 : std::uint64_t{1} << (s.index() - low_squares)) {}

    static constexpr Bitboard all() { return {low_mask, high_mask}; }

    [[nodiscard]] constexpr std::uint64_t low() const { return low_; }
    [[nodiscard]] constexpr std::uint64_t high() const { return high_; }

    [[nodiscard]] constexpr bool empty() const { return (low_ | high_) == 0; }
    [[nodiscard]] constexpr bool any() const { return !empty(); }
    [[nodiscard]] constexpr bool intersects(const Bitboard& o) const {
        return ((low_ & o.low_) | (high_ & o.high_)) != 0;
    }
    [[nodiscard]] constexpr bool has(Square s) const { return intersects(of(s)); }
    [[nodiscard]] constexpr int count() const { return std::popcount(low_) + std::popcount(high_); }
    [[nodiscard]] constexpr bool more_than_one() const {
        const std::uint64_t low_rest = low_ & (low_ - 1);
        const std::uint64_t high_rest = high_ & (high_ - 1);
        return (low_rest | high_rest) != 0 || (low_ != 0 && high_ != 0);
    }

    // The lowest square; the set must not be empty.
    [[nodiscard]] constexpr Square first() const {
        return Square::from_index(low_ != 0 ? std::countr_zero(low_) : low_squares + std::countr_zero(high_));
    }
    constexpr Square pop_first() {
        const Square s = first();
        if (low_ != 0)
            low_ &= low_ - 1;
        else
            high_ &= high_ - 1;
        return s;
    }
    // Calls f(Square) for every member, lowest first.
    template <typename F>
    constexpr void for_each(F&& f) const {
        for (std::uint64_t rest = low_; rest != 0; rest &= rest - 1)
            f(Square::from_index(std::countr_zero(rest)));
        for (std::uint64_t rest = high_; rest != 0; rest &= rest - 1)
            f(Square::from_index(low_squares + std::countr_zero(rest)));
    }

    constexpr Bitboard operator&(const Bitboard& o) const { return {low_ & o.low_, high_ & o.high_}; }
    constexpr Bitboard operator|(const Bitboard& o) const { return {low_ | o.low_, high_ | o.high_}; }
    constexpr Bitboard operator^(const Bitboard& o) const { return {low_ ^ o.low_, high_ ^ o.high_}; }
    // Members of this set that are not in `o`.
    [[nodiscard]] constexpr Bitboard without(const Bitboard& o) const { return {low_ & ~o.low_, high_ & ~o.high_}; }
    constexpr Bitboard operator~() const { return {~low_ & low_mask, ~high_ & high_mask}; }
    constexpr Bitboard& operator&=(const Bitboard& o) { return *this = *this & o; }
    constexpr Bitboard& operator|=(const Bitboard& o) { return *this = *this | o; }
    constexpr Bitboard& operator^=(const Bitboard& o) { return *this = *this ^ o; }
    constexpr bool operator==(const Bitboard&) const = default;

    // One step forward for every member, as the given colour sees it. No member may stand on the last rank.
    template <Color C>
    [[nodiscard]] constexpr Bitboard forward() const {
        if constexpr (C == Color::black)
            return {low_ >> 1, high_ >> 1};
        else
            return {low_ << 1, high_ << 1};
    }

    static constexpr const Bitboard& of(Square s);

private:
    std::uint64_t low_ = 0;
    std::uint64_t high_ = 0;
};

namespace detail {
// One entry more than squares, so that Square::none() has an (empty) set too.
constexpr auto square_sets = [] {
    std::array<Bitboard, Square::count + 1> table{};
    for (int i = 0; i < Square::count; ++i)
        table[static_cast<std::size_t>(i)] = Bitboard(Square::from_index(i));
    return table;
}();
}  // namespace detail

constexpr const Bitboard& Bitboard::of(Square s) { return detail::square_sets[s.slot()]; }

constexpr Bitboard file_set(int file) {
    Bitboard set;
    for (int rank = 1; rank <= 9; ++rank)
        set |= Bitboard(Square::at(file, rank));
    return set;
}

// Rank `rank` as `c` counts it (1 = farthest).
constexpr Bitboard rank_set(int rank, Color c = Color::black) {
    Bitboard set;
    for (int file = 1; file <= 9; ++file)
        set |= Bitboard(Square::at(file, c == Color::black ? rank : 10 - rank));
    return set;
}

constexpr std::array<Bitboard, 2> promotion_zone{
    rank_set(1) | rank_set(2) | rank_set(3),
    rank_set(7) | rank_set(8) | rank_set(9),
};

}  // namespace tsumugi::shogi
