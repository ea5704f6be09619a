// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "shogi/slider/ray_walk.hpp"

namespace tsumugi::shogi::slider {

// Attacks along a file on the ordinary layout. A file never crosses the two words, so both words are laid over
// each other (the mask of the word without the file is empty), one word is worked on, and the same masks take
// the result apart again. No branch asks which word it was.
class FileLine {
public:
    // What attacks both ways need: the file without the square, and its part on the side of rank a.
    struct Mask {
        Bitboard line;
        std::uint64_t up = 0;

        static constexpr Mask of(Square s) {
            const Bitboard ray = walk(s, 0, -1, {});
            return {ray | walk(s, 0, 1, {}), ray.low() | ray.high()};
        }
    };

    static constexpr Bitboard both(const Mask& mask, const Bitboard& occupied) {
        const std::uint64_t word = overlay(occupied, mask.line);
        const std::uint64_t above = word & mask.up;
        return spread(from_highest(above) & until_lowest(word ^ above), mask.line);
    }
    // Towards the enemy camp as `C` sees it. Black goes towards lower bits, down to the highest occupied one of
    // its ray; white towards higher bits, up to the lowest occupied one.
    template <Color C>
    static constexpr Bitboard forward(Square s, const Bitboard& occupied) {
        const Bitboard& ray = FileLine::ray<C>(s);
        const std::uint64_t word = overlay(occupied, ray);
        return spread(C == Color::black ? from_highest(word) : until_lowest(word), ray);
    }

    // The same on an empty board.
    template <Color C>
    static constexpr const Bitboard& ray(Square s) {
        return rays[s.slot()][C == Color::black ? 0 : 1];
    }

    static constexpr std::size_t table_bytes() { return sizeof(rays); }

private:
    static constexpr auto rays = [] {
        std::array<std::array<Bitboard, 2>, Square::count> table{};
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
