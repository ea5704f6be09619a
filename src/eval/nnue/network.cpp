// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/nnue/network.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

namespace tsumugi::eval::nnue {
namespace {

// The largest sum of weights of one sign over any `group` pairs of inputs that meet in one place of a register.
int worst_sum(const Layer& layer, int group) {
    int worst = 0;
    for (int o = 0; o < layer.outputs; ++o)
        for (const int sign : {1, -1})
            for (const int half : {0, 2}) {
                std::vector<int> sums;
                for (int i = half; i + 1 < padded_inputs(layer.inputs); i += 4)
                    sums.push_back(std::max(sign * layer.weight(o, i), 0) + std::max(sign * layer.weight(o, i + 1), 0));
                const auto top = sums.begin() + std::min<std::ptrdiff_t>(group, std::ssize(sums));
                std::partial_sort(sums.begin(), top, sums.end(), std::greater<>());
                worst = std::max(worst, std::accumulate(sums.begin(), top, 0));
            }
    return worst;
}

// How many chunks of four inputs can be multiplied and summed up in 16 bits, two products at a time: the largest
// weights of one sign that any so many chunks have at the same output, times the largest input, must stay below 2^15.
int safe_group(const Layer& layer) {
    constexpr int largest_sum = 32767 / 127;
    for (const int group : {4, 2})
        if (worst_sum(layer, group) <= largest_sum) return group;
    return 1;
}

// As many parts as a classic net's first layer has that a kernel can treat alone: joined nets (tsumugi net mix --join)
// stay apart there, and taking them for one would multiply by zeros.
int count_parts(const Layer& layer, int lanes) {
    for (int parts = largest_parts; parts > 1; parts /= 2)
        if (layer.inputs / 2 % (parts * width_unit) == 0 && layer.outputs % (parts * lanes) == 0 &&
            falls_into(layer, parts))
            return parts;
    return 1;
}

Layer cut_out(const Layer& layer, int part, int parts) {
    Layer cut(layer.inputs / parts, layer.outputs / parts);
    const int half = layer.inputs / 2;
    const int columns = half / parts;
    for (int o = 0; o < cut.outputs; ++o) {
        const int from = part * cut.outputs + o;
        cut.bias[static_cast<std::size_t>(o)] = layer.bias[static_cast<std::size_t>(from)];
        for (int i = 0; i < columns; ++i) {
            cut.weight(o, i) = layer.weight(from, part * columns + i);
            cut.weight(o, columns + i) = layer.weight(from, half + part * columns + i);
        }
    }
    return cut;
}

constexpr int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

std::vector<int> in_order(int count) {
    std::vector<int> places(static_cast<std::size_t>(count));
    std::iota(places.begin(), places.end(), 0);
    return places;
}

}  // namespace

// Where each value of an accumulator goes: padding follows it, or each of its halves when they are multiplied.
std::vector<int> Network::column_places() const {
    std::vector<int> places = in_order(architecture_.width);
    if (architecture_.shape == Shape::product)
        for (int i = architecture_.width / 2; i < architecture_.width; ++i)
            places[static_cast<std::size_t>(i)] = i - architecture_.width / 2 + width_ / 2;
    return places;
}

void Network::add_transformer(const Parameters& parameters) {
    const std::vector<int> places = column_places();
    const auto width = static_cast<std::size_t>(architecture_.width);
    // The halves of a product are kept at twice their value, for one bit more of precision.
    const int factor = architecture_.shape == Shape::product ? 2 : 1;
    const auto copy = [&](const std::int16_t* from, std::int16_t* to) {
        if (factor == 1 && width_ == architecture_.width) {
            std::memcpy(to, from, width * sizeof *to);
            return;
        }
        for (std::size_t i = 0; i < width; ++i)
            to[places[i]] = static_cast<std::int16_t>(from[i] * factor);
    };
    copy(parameters.transformer_bias.data(), transformer_.data());
    const std::size_t inputs = info(architecture_.feature).inputs;
    for (std::size_t i = 0; i < inputs; ++i)
        copy(parameters.transformer_weights.data() + i * width,
             transformer_.data() + (i + 1) * static_cast<std::size_t>(width_));
}

// Input i of the layer is byte places[i] of what the kernel hands it.
Dense Network::add_dense(const Layer& layer, const std::vector<int>& places, int inputs) {
    const int outputs = round_up(layer.outputs, kernel_->lanes);
    auto& weights = weights_.emplace_back(static_cast<std::size_t>(inputs + 4) * static_cast<std::size_t>(outputs));
    auto& bias = biases_.emplace_back(static_cast<std::size_t>(outputs));
    for (int o = 0; o < layer.outputs; ++o) {
        bias[static_cast<std::size_t>(o)] = layer.bias[static_cast<std::size_t>(o)];
        for (int i = 0; i < layer.inputs; ++i) {
            const int place = places[static_cast<std::size_t>(i)];
            weights[static_cast<std::size_t>((place / 4 * outputs + o) * 4 + place % 4)] = layer.weight(o, i);
        }
    }
    return {weights.data(), bias.data(), inputs, outputs, safe_group(layer)};
}

// The first layer, whose inputs are both players' accumulators side by side, `side` bytes each.
Dense Network::add_first(const Layer& layer, const std::vector<int>& places, int side) {
    const std::size_t half = static_cast<std::size_t>(layer.inputs) / 2;
    std::vector<int> both(half * 2);
    for (std::size_t i = 0; i < half; ++i) {
        both[i] = places[i];
        both[half + i] = side + places[i];
    }
    return add_dense(layer, both, 2 * side);
}

void Network::add_tail(const LayerStack& stack, const std::vector<int>& places) {
    Tail tail{};
    tail.width = width_;
    tail.parts = architecture_.shape == Shape::classic ? count_parts(stack.first, kernel_->lanes) : 1;
    if (tail.parts == 1) {
        // A product is half as long as the accumulator.
        tail.first[0] = add_first(stack.first, places, architecture_.shape == Shape::product ? width_ / 2 : width_);
    } else {
        for (int part = 0; part < tail.parts; ++part)
            tail.first[part] = add_first(cut_out(stack.first, part, tail.parts), places, width_ / tail.parts);
    }
    tail.second = add_dense(stack.second, in_order(stack.second.inputs), round_up(stack.second.inputs, input_unit));
    auto& output =
        weights_.emplace_back(static_cast<std::size_t>(round_up(stack.output.inputs, input_unit) + input_unit));
    for (int i = 0; i < stack.output.inputs; ++i)
        output[static_cast<std::size_t>(i)] = stack.output.weight(0, i);
    tail.output = output.data();
    tail.output_bias = stack.output.bias[0];
    tail.hidden = architecture_.first;
    tail.shortcut = architecture_.has_shortcut();
    tails_.push_back(tail);
}

base::Result<Network> Network::build(const Parameters& parameters, const Kernel& kernel) {
    Network network;
    network.architecture_ = parameters.architecture;
    network.kernel_ = &kernel;
    const int unit = parameters.architecture.shape == Shape::product ? 2 * width_unit : width_unit;
    network.width_ = round_up(parameters.architecture.width, unit);
    auto memory = base::HugeArray<std::int16_t>::allocate((info(parameters.architecture.feature).inputs + 1) *
                                                          static_cast<std::size_t>(network.width_));
    if (!memory) return memory.error().in("feature transformer");
    network.transformer_ = std::move(*memory);
    network.add_transformer(parameters);
    const std::vector<int> places = network.column_places();
    for (const LayerStack& stack : parameters.stacks)
        network.add_tail(stack, places);
    network.progress_ = parameters.progress;
    return network;
}

}  // namespace tsumugi::eval::nnue
