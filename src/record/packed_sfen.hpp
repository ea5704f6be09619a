// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.hpp"
#include "shogi/move.hpp"
#include "shogi/setup.hpp"

namespace tsumugi::record {

// A position in the 256 bits that YaneuraOu and its relatives store in training data. See huffman_board.hpp for
// what can be packed. Equal positions have equal bytes.
struct PackedSfen {
    std::array<std::uint8_t, 32> bytes{};
    bool operator==(const PackedSfen&) const = default;
};

base::Result<PackedSfen> to_packed_sfen(const shogi::Setup& setup);
base::Result<shogi::Setup> from_packed_sfen(const PackedSfen& packed);

// Moves in these records: bits 0-6 destination, 7-13 origin or dropped kind, 14 drop, 15 promotion. 0 is no move.
std::uint16_t to_psv_move(shogi::Move move);
base::Result<shogi::Move> from_psv_move(std::uint16_t bits);

// One line of training data. Score and result are those of the side to move; result is +1, 0 or -1.
struct PackedSfenValue {
    static constexpr std::size_t size = 40;  // the last byte is padding

    PackedSfen position;
    std::int16_t score = 0;
    shogi::Move move;
    std::uint16_t game_ply = 0;
    std::int8_t result = 0;

    bool operator==(const PackedSfenValue&) const = default;
};

void write(const PackedSfenValue& value, std::span<std::uint8_t, PackedSfenValue::size> out);
// The position is not unpacked, only the move and the result are checked.
base::Result<PackedSfenValue> read_packed_sfen_value(std::span<const std::uint8_t, PackedSfenValue::size> bytes);

}  // namespace tsumugi::record
