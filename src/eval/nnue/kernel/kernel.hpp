// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

// The arithmetic of the networks, one file per instruction set behind one signature. Those files are compiled with
// flags of their own, so this header must hold no inline code: a copy compiled for a newer processor could
// otherwise be linked into code meant for all.

namespace tsumugi::eval::nnue {

// Accumulators, rows of the feature transformer and their halves are padded to this many values.
constexpr int width_unit = 64;
// Inputs of the dense layers are padded to this many bytes, as they are in the files.
constexpr int input_unit = 32;
// The largest shapes a kernel must handle.
constexpr int max_width = 16384;
constexpr int max_hidden = 256;
constexpr int largest_parts = 8;

// Rows to add to an accumulator and rows to take away.
struct RowChange {
    const std::int16_t* const* added;
    int added_count;
    const std::int16_t* const* removed;
    int removed_count;
};

// y = weights * x + bias. Inputs come in chunks of four bytes: the weights are ordered [chunk][output][4], so that
// an input chunk of zeros can be passed over. `outputs` is a multiple of the kernel's lanes. A chunk of zero
// weights follows the last.
struct Dense {
    const std::int8_t* weights;
    const std::int32_t* bias;
    int inputs;
    int outputs;
    // So many chunks, whichever they are, can be summed up in 16 bits per pair of products: 1, 2 or 4.
    int group;
};

// Everything behind the feature transformer.
struct Tail {
    int width;  // of one accumulator
    // The first layer, whose parts share nothing (see falls_into): the outputs of one follow those of the one before.
    Dense first[largest_parts];
    int parts;
    Dense second;
    const std::int8_t* output;  // one row
    std::int32_t output_bias;
    int hidden;     // outputs of the first layer that are activated (product networks)
    bool shortcut;  // output number `hidden` of the first layer is added to the result (product networks)
};

struct Kernel {
    const char* name;
    int lanes;  // 32-bit values in a register

    // to = from + added - removed, each `width` values; `to` may be `from`.
    void (*update)(std::int16_t* to, const std::int16_t* from, const RowChange& rows, int width);
    // Classic networks: both accumulators clipped to 0..127, then two hidden layers.
    std::int32_t (*classic)(const Tail& tail, const std::int16_t* own, const std::int16_t* other);
    // SFNN: the halves of each accumulator are multiplied, the first hidden layer is used squared and clipped.
    std::int32_t (*product)(const Tail& tail, const std::int16_t* own, const std::int16_t* other);
};

extern const Kernel scalar_kernel;
extern const Kernel sse41_kernel;
extern const Kernel avx2_kernel;
extern const Kernel vnni256_kernel;
extern const Kernel avx512_kernel;

}  // namespace tsumugi::eval::nnue
