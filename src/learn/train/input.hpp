// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "eval/nnue/architecture.hpp"
#include "shogi/setup.hpp"

namespace tsumugi::learn {

// The inputs of a net as training sees them. A feature set has one block of rows for every place of the kings, and a
// position has, for each player, one block and the same number of rows in it: pieces out of play count as row 0.
struct InputShape {
    std::size_t stride = 0;  // rows of a block
    std::size_t blocks = 1;
    std::size_t active = 0;   // rows of a position in its block
    std::size_t classes = 1;  // of attacks: a block has its rows so many times

    // The number that the feature set gives to a row: it counts through all blocks of a class before the next class.
    [[nodiscard]] std::size_t number(std::size_t block, std::size_t row) const {
        const std::size_t planes = stride / classes;
        return (row / planes * blocks + block) * planes + row % planes;
    }
};

InputShape input_shape(eval::nnue::Feature feature);

// Where one player's view of a position begins, and its rows in that block.
struct InputView {
    std::uint16_t block = 0;
    std::uint16_t* rows = nullptr;  // InputShape::active of them
};

// Fills the views of the side to move and of the other player. With `mirrored` the files are exchanged first: a
// mirrored position is worth the same.
using InputReader = void (*)(const shogi::Setup& setup, bool mirrored, InputView& own, InputView& other);
InputReader input_reader(eval::nnue::Feature feature);

// Places of the king that share their rows in training. The rows are written once for every place, so that any program
// which reads the feature set reads the net.
enum class KingBuckets { none, rank, zone };
struct BucketMap {
    std::vector<std::uint16_t> bucket_of;  // by block
    std::size_t count = 1;
};
BucketMap bucket_map(const InputShape& shape, KingBuckets buckets);

}  // namespace tsumugi::learn
