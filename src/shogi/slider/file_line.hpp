// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "shogi/slider/ray_walk.hpp"

namespace tsumugi::shogi::slider {

// Attacks along a file for every method on the ordinary layout. A file never crosses the two words, so both
// words are laid over each other (the mask of the word without the file is empty), one word is worked on, and
// the same masks take the result apart again. No branch asks which word it was.
class FileLine {
public:
    // Towards rank i, that is towards higher bits: up to and including the lowest occupied bit of the ray.
    static constexpr Bitboard down(Square s, const Bitboard& occupied) {
        const Bitboard& ray = rays[s.slot()].down;
        return spread(until_lowest(overlay(occupied, ray)), ray);
    }
    // Towards rank a, that is towards lower bits: down to and including the highest occupied bit of the ray.
    static constexpr Bitboard up(Square s, const Bitboard& occupied) {
        const Bitboard& ray = rays[s.slot()].up;
        return spread(from_highest(overlay(occupied, ray)), ray);
    }
    template <Color C>
    static constexpr Bitboard forward(Square s, const Bitboard& occupied) {
        return C == Color::black ? up(s, occupied) : down(s, occupied);
    }
    static constexpr Bitboard both(Square s, const Bitboard& occupied) {
        const Rays& r = rays[s.slot()];
        const std::uint64_t between = until_lowest(overlay(occupied, r.down)) & from_highest(overlay(occupied, r.up));
        return spread(between, r.down | r.up);
    }

private:
    struct Rays {
        Bitboard up;
        Bitboard down;
    };
    static constexpr auto rays = [] {
        std::array<Rays, Square::count> table{};
        for (int i = 0; i < Square::count; ++i) {
            const Square s = Square::from_index(i);
            table[s.slot()] = {walk(s, 0, -1, {}), walk(s, 0, 1, {})};
        }
        return table;
    }();

    static constexpr std::uint64_t overlay(const Bitboard& set, const Bitboard& mask) {
        return (set.low() & mask.low()) | (set.high() & mask.high());
    }
    static constexpr Bitboard spread(std::uint64_t word, const Bitboard& mask) {
        return {word & mask.low(), word & mask.high()};
    }
    static constexpr std::uint64_t until_lowest(std::uint64_t word) { return word ^ (word - 1); }
    // An arithmetic shift draws the sign bit down to the highest bit of `word`. Bit 0 stands in for an empty
    // word; it is at or below the end of every ray, so it never cuts one short.
    static constexpr std::uint64_t from_highest(std::uint64_t word) {
        return static_cast<std::uint64_t>(INT64_MIN >> std::countl_zero(word | 1));
    }
};

}  // namespace tsumugi::shogi::slider
