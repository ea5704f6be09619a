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

// A position in the 256 bits that Apery, dlshogi and cshogi store in training data. See huffman_board.hpp for what
// can be packed; the codes differ from PackedSfen's. Equal positions have equal bytes.
struct Hcp {
    std::array<std::uint8_t, 32> bytes{};
    bool operator==(const Hcp&) const = default;
};

base::Result<Hcp> to_hcp(const shogi::Setup& setup);
base::Result<shogi::Setup> from_hcp(const Hcp& packed);

// Moves in these records: bits 0-6 destination, 7-13 origin, or 80 + dropped kind, 14 promotion. 0 is no move.
std::uint16_t to_apery_move(shogi::Move move);
base::Result<shogi::Move> from_apery_move(std::uint16_t bits);

enum class HcpeResult : std::uint8_t { draw, black_win, white_win };

// One line of training data. The evaluation is that of the side to move, the result is absolute.
struct Hcpe {
    static constexpr std::size_t size = 38;  // the last byte is padding

    Hcp position;
    std::int16_t eval = 0;
    shogi::Move move;
    HcpeResult result = HcpeResult::draw;

    bool operator==(const Hcpe&) const = default;
};

void write(const Hcpe& value, std::span<std::uint8_t, Hcpe::size> out);
// The position is not unpacked, only the move and the result are checked.
base::Result<Hcpe> read_hcpe(std::span<const std::uint8_t, Hcpe::size> bytes);

}  // namespace tsumugi::record
