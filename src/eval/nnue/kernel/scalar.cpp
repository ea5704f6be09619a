// SPDX-License-Identifier: GPL-3.0-or-later
// The definition of the arithmetic: every other kernel must give the same numbers.
#include "eval/nnue/kernel/kernel.hpp"

namespace tsumugi::eval::nnue {
namespace {

int clamp(int value, int high) { return value < 0 ? 0 : value > high ? high : value; }

void update(std::int16_t* to, const std::int16_t* from, const RowChange& rows, int width) {
    for (int i = 0; i < width; ++i) {
        int sum = from[i];
        for (int r = 0; r < rows.added_count; ++r)
            sum += rows.added[r][i];
        for (int r = 0; r < rows.removed_count; ++r)
            sum -= rows.removed[r][i];
        to[i] = static_cast<std::int16_t>(sum);
    }
}

void affine(const Dense& layer, const std::uint8_t* input, std::int32_t* output) {
    for (int o = 0; o < layer.outputs; ++o)
        output[o] = layer.bias[o];
    for (int i = 0; i < layer.inputs; ++i) {
        if (input[i] == 0) continue;
        const std::int8_t* weights = layer.weights + i / 4 * 4 * layer.outputs + i % 4;
        for (int o = 0; o < layer.outputs; ++o)
            output[o] += weights[o * 4] * input[i];
    }
}

// The second hidden layer and the output, common to both kinds of network.
std::int32_t finish(const Tail& tail, const std::uint8_t* input) {
    std::int32_t hidden[max_hidden];
    affine(tail.second, input, hidden);
    std::int32_t sum = tail.output_bias;
    for (int o = 0; o < tail.second.outputs; ++o)
        sum += tail.output[o] * clamp(hidden[o] >> 6, 127);
    return sum;
}

std::int32_t classic(const Tail& tail, const std::int16_t* own, const std::int16_t* other) {
    std::uint8_t input[2 * max_width];
    std::int32_t hidden[max_hidden];
    const int columns = tail.width / tail.parts;
    int outputs = 0;
    for (int part = 0; part < tail.parts; ++part) {
        for (int i = 0; i < columns; ++i) {
            input[i] = static_cast<std::uint8_t>(clamp(own[part * columns + i], 127));
            input[columns + i] = static_cast<std::uint8_t>(clamp(other[part * columns + i], 127));
        }
        affine(tail.first[part], input, hidden + outputs);
        outputs += tail.first[part].outputs;
    }
    std::uint8_t activated[max_hidden + input_unit] = {};
    for (int o = 0; o < outputs; ++o)
        activated[o] = static_cast<std::uint8_t>(clamp(hidden[o] >> 6, 127));
    return finish(tail, activated);
}

std::int32_t product(const Tail& tail, const std::int16_t* own, const std::int16_t* other) {
    std::uint8_t input[max_width];
    const int half = tail.width / 2;
    for (int i = 0; i < half; ++i) {
        input[i] = static_cast<std::uint8_t>(clamp(own[i], 254) * clamp(own[half + i], 254) >> 9);
        input[half + i] = static_cast<std::uint8_t>(clamp(other[i], 254) * clamp(other[half + i], 254) >> 9);
    }
    std::int32_t hidden[max_hidden];
    affine(tail.first[0], input, hidden);
    std::uint8_t activated[2 * max_hidden + input_unit] = {};
    for (int o = 0; o < tail.hidden; ++o) {
        const std::int64_t square = static_cast<std::int64_t>(hidden[o]) * hidden[o] >> 19;
        activated[o] = static_cast<std::uint8_t>(square > 127 ? 127 : square);
        activated[tail.hidden + o] = static_cast<std::uint8_t>(clamp(hidden[o] >> 6, 127));
    }
    return finish(tail, activated) + (tail.shortcut ? hidden[tail.hidden] : 0);
}

}  // namespace

const Kernel scalar_kernel{"scalar", 1, update, classic, product};

}  // namespace tsumugi::eval::nnue
