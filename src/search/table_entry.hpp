// SPDX-License-Identifier: GPL-3.0-or-later
// What the words of a table entry mean; only the table's own files include this.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "search/table.hpp"

namespace tsumugi::search::entry {

// Data word: bits 0-15 move, 16-31 value, 32-47 evaluation, 48-55 depth + depth_offset, 56-57 bound, 58 PV,
// 59-63 generation. A word of zero is an empty entry: its bound is none.
constexpr int depth_offset = 8;
constexpr unsigned generations = 32;

inline std::uint64_t encode(const Knowledge& k, unsigned generation) {
    const auto word = [](int v) { return static_cast<std::uint64_t>(static_cast<std::uint16_t>(v)); };
    return word(k.move.bits()) | word(k.value) << 16 | word(k.evaluation) << 32 |
           static_cast<std::uint64_t>(static_cast<std::uint8_t>(k.depth + depth_offset)) << 48 |
           static_cast<std::uint64_t>(k.bound) << 56 | static_cast<std::uint64_t>(k.was_pv) << 58 |
           static_cast<std::uint64_t>(generation) << 59;
}

inline int depth_of(std::uint64_t data) { return static_cast<int>(data >> 48 & 255) - depth_offset; }
inline Bound bound_of(std::uint64_t data) { return static_cast<Bound>(data >> 56 & 3); }
inline unsigned generation_of(std::uint64_t data) { return static_cast<unsigned>(data >> 59); }

inline Knowledge decode(std::uint64_t data) {
    return {shogi::Move::from_bits(static_cast<std::uint16_t>(data)),
            static_cast<std::int16_t>(data >> 16),
            static_cast<std::int16_t>(data >> 32),
            depth_of(data),
            bound_of(data),
            (data >> 58 & 1) != 0};
}

inline std::uint32_t check_word(shogi::Key key, std::uint64_t data) {
    return static_cast<std::uint32_t>(key) ^ static_cast<std::uint32_t>(data) ^ static_cast<std::uint32_t>(data >> 32);
}

// The same position again, `present` if this search wrote it: keeps a move we would forget, a clearly deeper result of
// this search, and what was proved elsewhere.
inline Knowledge merged(const Knowledge& fresh, const Knowledge& stored, bool present) {
    if (stored.depth == proven_depth) return stored;
    const bool better =
        fresh.bound == Bound::exact || !present || fresh.depth + (fresh.was_pv ? 2 : 0) + 4 > stored.depth;
    Knowledge written = better ? fresh : stored;
    written.move = fresh.move.is_none() ? stored.move : fresh.move;
    return written;
}

// Schemes that go by the size of trees keep it in the lowest bits of the check word: a number with three digits of
// binary precision, the width of the number in the upper five bits and what follows its leading one in the lower two.
constexpr std::uint32_t size_mask = 127;

constexpr std::uint32_t size_code(std::uint32_t size) {
    const std::uint32_t number = std::max<std::uint32_t>(size, 1);
    const auto width = static_cast<std::uint32_t>(std::bit_width(number));
    return (width - 1) << 2 | (number << (32 - width) >> 29 & 3);
}

constexpr std::uint32_t size_of_code(std::uint32_t code) {
    return static_cast<std::uint32_t>((std::uint64_t{4} | (code & 3)) << (code >> 2) >> 2);
}
static_assert(size_of_code(size_code(1)) == 1 && size_of_code(size_code(7)) == 7 && size_of_code(size_code(9)) == 8);
static_assert(size_code(~std::uint32_t{0}) == size_mask && size_of_code(size_mask) == 7U << 29);

}  // namespace tsumugi::search::entry
