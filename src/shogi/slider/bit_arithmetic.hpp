// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "shogi/slider/file_line.hpp"

namespace tsumugi::shogi::slider {

// A board as one 128-bit number. Byte-reversed ones use bits that a Bitboard keeps clear.
struct Words {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    constexpr Words() = default;
    constexpr Words(std::uint64_t l, std::uint64_t h) : low(l), high(h) {}
    explicit constexpr Words(const Bitboard& b) : low(b.low()), high(b.high()) {}

    constexpr Words operator|(const Words& o) const { return {low | o.low, high | o.high}; }
    [[nodiscard]] constexpr Words byte_reversed() const { return {__builtin_bswap64(high), __builtin_bswap64(low)}; }
};

// The rays of one slider that are worked on as 128-bit numbers. A ray towards lower squares is kept with
// its bytes reversed: neighbours on a rank or a diagonal are 8 to 11 bits apart, so no byte holds two squares of
// one ray, and reversing the bytes alone already reverses the order of its squares.
struct AscendingRay {
    Words mask;

    static constexpr AscendingRay towards(Square s, int file_step, int rank_step) {
        return {Words(walk(s, file_step, rank_step, {}))};
    }
};
struct DescendingRay {
    Words reversed_mask;

    static constexpr DescendingRay towards(Square s, int file_step, int rank_step) {
        return {Words(walk(s, file_step, rank_step, {})).byte_reversed()};
    }
};

struct BishopRays {
    std::array<AscendingRay, 2> ascending;
    std::array<DescendingRay, 2> descending;
};
struct RankRays {
    AscendingRay ascending;
    DescendingRay descending;
};

constexpr auto bishop_rays = [] {
    std::array<BishopRays, Square::count> table{};
    for (int i = 0; i < Square::count; ++i) {
        const Square s = Square::from_index(i);
        table[s.slot()] = {{AscendingRay::towards(s, 1, 1), AscendingRay::towards(s, 1, -1)},
                           {DescendingRay::towards(s, -1, 1), DescendingRay::towards(s, -1, -1)}};
    }
    return table;
}();
constexpr auto rank_rays = [] {
    std::array<RankRays, Square::count> table{};
    for (int i = 0; i < Square::count; ++i) {
        const Square s = Square::from_index(i);
        table[s.slot()] = {AscendingRay::towards(s, 1, 0), DescendingRay::towards(s, -1, 0)};
    }
    return table;
}();

// Attacks by subtraction: with o the occupied squares of a ray, o - 1 turns over every bit up to the nearest
// of them, so o ^ (o - 1), cut to the ray, is what the slider reaches. No tables beyond the rays themselves.
struct BitArithmetic {
    static constexpr const char* name = "bit-arithmetic";
    using Occupied = PlainOccupied;

    static constexpr Bitboard bishop(Square s, const Occupied& o) {
        const BishopRays& rays = bishop_rays[s.slot()];
        const Words occupied(o.board());
        const Words reversed = occupied.byte_reversed();
        const Words up = reach(occupied, rays.ascending[0].mask) | reach(occupied, rays.ascending[1].mask);
        const Words down =
            reach(reversed, rays.descending[0].reversed_mask) | reach(reversed, rays.descending[1].reversed_mask);
        return join(up, down);
    }
    static constexpr Bitboard rook(Square s, const Occupied& o) {
        const RankRays& rays = rank_rays[s.slot()];
        const Words occupied(o.board());
        const Words up = reach(occupied, rays.ascending.mask);
        const Words down = reach(occupied.byte_reversed(), rays.descending.reversed_mask);
        return join(up, down) | FileLine::both(s, o.board());
    }
    template <Color C>
    static constexpr Bitboard lance(Square s, const Occupied& o) {
        return FileLine::forward<C>(s, o.board());
    }

private:
    static constexpr Words reach(const Words& occupied, const Words& ray) {
        const std::uint64_t low = occupied.low & ray.low;
        const std::uint64_t high = occupied.high & ray.high;
        const std::uint64_t borrow = low == 0 ? 1 : 0;
        return {(low ^ (low - 1)) & ray.low, (high ^ (high - borrow)) & ray.high};
    }
    static constexpr Bitboard join(const Words& up, const Words& down) {
        const Words all = up | down.byte_reversed();
        return {all.low, all.high};
    }
};
static_assert(Method<BitArithmetic>);

}  // namespace tsumugi::shogi::slider
