// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "eval/nnue/architecture.hpp"

namespace tsumugi::eval::nnue {

// A dense layer as files hold it: weights[output][padded_inputs(inputs)].
struct Layer {
    int inputs = 0;
    int outputs = 0;
    std::vector<std::int32_t> bias;
    std::vector<std::int8_t> weights;

    Layer() = default;
    Layer(int in, int out)
        : inputs(in),
          outputs(out),
          bias(static_cast<std::size_t>(out)),
          weights(static_cast<std::size_t>(out) * static_cast<std::size_t>(padded_inputs(in))) {}

    [[nodiscard]] std::int8_t& weight(int output, int input) { return weights[place(output, input)]; }
    [[nodiscard]] std::int8_t weight(int output, int input) const { return weights[place(output, input)]; }

    bool operator==(const Layer&) const = default;

private:
    [[nodiscard]] std::size_t place(int output, int input) const {
        return static_cast<std::size_t>(output) * static_cast<std::size_t>(padded_inputs(inputs)) +
               static_cast<std::size_t>(input);
    }
};

// Into how many parts a first layer may fall that share neither inputs nor outputs: part p of n sees the columns from
// p * width / n of both players' accumulators. Joined nets fall apart like this (tsumugi net mix --join).
bool falls_into(const Layer& first, int parts);

struct LayerStack {
    Layer first;
    Layer second;
    Layer output;
    bool operator==(const LayerStack&) const = default;
};

// Everything a net file says, as it says it: what the trainer writes and the evaluator reads.
struct Parameters {
    Architecture architecture;
    std::vector<std::int16_t> transformer_bias;     // [width]
    std::vector<std::int16_t> transformer_weights;  // [input][width]
    std::vector<LayerStack> stacks;
    std::vector<std::int32_t> progress;  // progress_parameters numbers when the stacks ask for them

    Parameters() = default;
    // All zero.
    explicit Parameters(const Architecture& a);

    bool operator==(const Parameters&) const = default;
};

}  // namespace tsumugi::eval::nnue
