// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "shogi/slider/layout.hpp"
#include "shogi/slider/ray_walk.hpp"

namespace tsumugi::shogi::slider {

// Attacks along a file looked up by how the seven inner squares of the file are occupied. All files share one table
// of nine-bit patterns, since a file is nine neighbouring bits of one word.
class FileLookup {
public:
    static constexpr Bitboard both(Square s, const Bitboard& occupied) { return look_up(patterns[2], s, occupied); }
    template <Color C>
    static constexpr Bitboard forward(Square s, const Bitboard& occupied) {
        return look_up(patterns[C == Color::black ? 0 : 1], s, occupied);
    }

    static constexpr std::size_t table_bytes() { return sizeof(patterns) + sizeof(files); }

private:
    static constexpr unsigned inner_mask = (1U << 7) - 1;
    // By rank, then by the occupied inner squares.
    using Patterns = std::array<std::array<std::uint16_t, inner_mask + 1>, 9>;
    struct File {
        Bitboard squares;
        std::uint8_t bit;  // of rank a in its word
        std::uint8_t rank;
    };

    static constexpr auto files = [] {
        std::array<File, Square::count> table{};
        for (int i = 0; i < Square::count; ++i) {
            const Square s = Square::from_index(i);
            const Place top = place(Layout::file_major, Square::at(s.file(), 1));
            table[s.slot()] = {file_set(s.file()), top.bit, static_cast<std::uint8_t>(s.rank() - 1)};
        }
        return table;
    }();
    // Towards rank a, towards rank i, both ways.
    static constexpr auto patterns = [] {
        std::array<Patterns, 3> table{};
        for (int rank = 0; rank < 9; ++rank)
            for (unsigned inner = 0; inner <= inner_mask; ++inner) {
                const Square s = Square::from_index(rank);
                const Bitboard occupied(std::uint64_t{inner} << 1, 0);
                const auto up = static_cast<std::uint16_t>(walk(s, 0, -1, occupied).low());
                const auto down = static_cast<std::uint16_t>(walk(s, 0, 1, occupied).low());
                table[0][s.slot()][inner] = up;
                table[1][s.slot()][inner] = down;
                table[2][s.slot()][inner] = up | down;
            }
        return table;
    }();

    static constexpr Bitboard look_up(const Patterns& table, Square s, const Bitboard& occupied) {
        const File& file = files[s.slot()];
        // One of the two masks is empty, which spares the question in which word the file lies.
        const std::uint64_t word = (occupied.low() & file.squares.low()) | (occupied.high() & file.squares.high());
        const std::uint64_t attacks = std::uint64_t{table[file.rank][(word >> (file.bit + 1)) & inner_mask]}
                                      << file.bit;
        return {attacks & file.squares.low(), attacks & file.squares.high()};
    }
};

}  // namespace tsumugi::shogi::slider
