// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/train/model.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/random.hpp"
#include "learn/train/loss.hpp"

namespace tsumugi::learn {
namespace {

using base::Error;
using base::Result;
using eval::nnue::Layer;
using eval::nnue::Parameters;

// How files scale the numbers (docs/nets.md). An activation of 1 is 127.
constexpr double activation_unit = 127;
constexpr double hidden_unit = 64;
// The playing net divides sums of a hidden layer by 64 and drops what is left, so that it loses half a unit of an
// activation on average. Training knows no such loss: biases are written that much higher, and read that much lower.
constexpr double lost_by_division = hidden_unit / 2;
constexpr double output_unit = score_per_output * 16;  // of the last layer's bias
constexpr double largest_byte = 127;
// The sum of all rows of a position and the bias must stay within 16 bits: at most 43 of them.
constexpr double transformer_limit = 32767 / activation_unit / 43;

constexpr std::size_t padded(int n) { return (static_cast<std::size_t>(n) + lane_unit - 1) / lane_unit * lane_unit; }

template <typename T>
T quantise(float value, double unit) {
    const double scaled = std::round(static_cast<double>(value) * unit);
    return static_cast<T>(std::clamp(scaled, static_cast<double>(std::numeric_limits<T>::min()),
                                     static_cast<double>(std::numeric_limits<T>::max())));
}

std::int32_t quantise_bias(float value) {
    return quantise<std::int32_t>(value, hidden_unit * activation_unit) + static_cast<std::int32_t>(lost_by_division);
}

float restore(double value, double unit) { return static_cast<float>(value / unit); }

// Calls f(place in training, output, input) for every weight of the first hidden layer, but those between parts.
template <typename F>
void for_each_first(const Plan& plan, F&& f) {
    const auto outputs = static_cast<std::size_t>(plan.architecture.first);
    const auto width = static_cast<std::size_t>(plan.architecture.width);
    for (std::size_t slice = 0; slice < plan.slices; ++slice)
        for (std::size_t side = 0; side < 2; ++side)
            for (std::size_t o = plan.first_neuron(2 * slice);
                 o < std::min(plan.first_neuron(2 * slice) + plan.neurons(), outputs); ++o)
                for (std::size_t c = 0; c < plan.columns; ++c)
                    f(((2 * slice + side) * plan.first + o) * plan.columns + c, static_cast<int>(o),
                      static_cast<int>(side * width + slice * plan.columns + c));
}

// The same for the second.
template <typename F>
void for_each_second(const Plan& plan, F&& f) {
    for (int o = 0; o < plan.architecture.second; ++o)
        for (int i = 0; i < plan.architecture.first; ++i)
            f(static_cast<std::size_t>(o) * plan.first + static_cast<std::size_t>(i), o, i);
}

}  // namespace

Result<Plan> Plan::make(const eval::nnue::Architecture& architecture, KingBuckets king_buckets, bool factorised,
                        std::size_t parts) {
    Plan plan;
    plan.architecture = architecture;
    plan.king_buckets = king_buckets;
    plan.factorised = factorised;
    plan.parts = parts;
    if (architecture.shape != eval::nnue::Shape::classic)
        return Error{Error::Code::unsupported, "only classic nets (two hidden layers, no stacks) can be trained"};
    if (architecture.width % static_cast<int>(lane_unit) != 0)
        return Error{Error::Code::range,
                     fmt::format("the width must be a multiple of {}, got {}", lane_unit, architecture.width)};
    if (const std::string reason = unsupported_reason(architecture); !reason.empty())
        return Error{Error::Code::range, reason};
    plan.input = input_shape(architecture.feature);
    const bool has_places = plan.input.blocks == 45 || plan.input.blocks == 81;
    if (!has_places && king_buckets != KingBuckets::none)
        return Error{Error::Code::unsupported,
                     fmt::format("{} has no places of the king to share", info(architecture.feature).name)};
    if (plan.input.blocks == 1 && factorised)
        return Error{Error::Code::unsupported,
                     fmt::format("{} cannot be factorised: all its rows are common to all places of the king",
                                 info(architecture.feature).name)};
    plan.buckets = bucket_map(plan.input, king_buckets);
    const auto width = static_cast<std::size_t>(architecture.width);
    const std::size_t unit = parts * lane_unit;
    if (parts > 1 && (width % unit != 0 || static_cast<std::size_t>(architecture.first) % unit != 0))
        return Error{Error::Code::range,
                     fmt::format("{} cannot be cut into {} parts: the width and the first hidden layer must be "
                                 "multiples of {}",
                                 architecture.name(), parts, unit)};
    plan.columns = widest_slice;
    while (width / parts % plan.columns != 0)
        plan.columns /= 2;
    plan.slices = width / plan.columns;
    plan.first = padded(architecture.first);
    plan.second = padded(architecture.second);
    return plan;
}

Result<Model> Model::create(const Plan& plan, std::uint64_t seed) {
    Model model(plan);
    const std::size_t width = plan.slices * plan.columns;
    const double largest_hidden = largest_byte / hidden_unit;
    const double largest_output = largest_byte / (output_unit / activation_unit);
    const double unlimited = 1e6;  // biases are 32 bits wide
    struct Size {
        std::size_t count;
        double limit;
    };
    const double transformer_share = plan.factorised ? transformer_limit / 2 : transformer_limit;
    const std::array<Size, parts> sizes{{{width * plan.rows(), transformer_share},
                                         {plan.factorised ? width * plan.input.stride : 0, transformer_share},
                                         {width, transformer_limit},
                                         {2 * width * plan.first, largest_hidden},
                                         {plan.first, unlimited},
                                         {plan.first * plan.second, largest_hidden},
                                         {plan.second, unlimited},
                                         {plan.second, largest_output},
                                         {lane_unit, unlimited}}};
    for (std::size_t part = 0; part < parts; ++part) {
        Group& group = model.groups_[part];
        group.limit = static_cast<float>(sizes[part].limit);
        for (auto* array : {&group.value, &group.mean, &group.square, &group.average}) {
            auto memory = base::HugeArray<float>::allocate(sizes[part].count);
            if (!memory) return memory.error().in("parameters to train");
            *array = std::move(*memory);
        }
    }
    model.visits_.resize(plan.rows());
    model.randomise(seed);
    return model;
}

// Activations start around the middle of their range with room to both sides; rows of single places start at zero when
// common rows stand behind them.
void Model::randomise(std::uint64_t seed) {
    base::Random random(seed);
    const auto fill = [&random](base::HugeArray<float>& values, double deviation) {
        for (float& value : values.view())
            value = static_cast<float>(random.normal(0, deviation));
    };
    const double row_deviation = 0.3 / std::sqrt(static_cast<double>(plan_.input.active));
    fill(groups_[plan_.factorised ? shared : transformer].value, row_deviation);
    for (float& value : groups_[transformer_bias].value.view())
        value = 0.4F;
    const double first_deviation = 1 / std::sqrt(2.0 * plan_.architecture.width / static_cast<double>(plan_.parts));
    for_each_first(plan_, [&](std::size_t at, int, int) {
        groups_[first].value[at] = static_cast<float>(random.normal(0, first_deviation));
    });
    const double second_deviation = 1 / std::sqrt(1.0 * plan_.architecture.first);
    for_each_second(plan_, [&](std::size_t at, int, int) {
        groups_[second].value[at] = static_cast<float>(random.normal(0, second_deviation));
    });
    for (int o = 0; o < plan_.architecture.first; ++o)
        groups_[first_bias].value[static_cast<std::size_t>(o)] = 0.3F;
    const double output_deviation = 0.5 / std::sqrt(1.0 * plan_.architecture.second);
    for (int o = 0; o < plan_.architecture.second; ++o) {
        groups_[second_bias].value[static_cast<std::size_t>(o)] = 0.3F;
        groups_[output].value[static_cast<std::size_t>(o)] = static_cast<float>(random.normal(0, output_deviation));
    }
}

void Model::assign(const Parameters& parameters) {
    const std::size_t stride = plan_.input.stride;
    const std::size_t columns = plan_.columns;
    const std::size_t width = plan_.slices * columns;
    std::vector<double> places(plan_.buckets.count);
    for (const std::uint16_t bucket : plan_.buckets.bucket_of)
        ++places[bucket];
    base::HugeArray<float>& rows = groups_[transformer].value;
    std::fill(rows.view().begin(), rows.view().end(), 0.0F);
    for (std::size_t block = 0; block < plan_.input.blocks; ++block) {
        const std::size_t bucket = plan_.buckets.bucket_of[block];
        for (std::size_t r = 0; r < stride; ++r)
            for (std::size_t i = 0; i < width; ++i)
                rows[(i / columns * plan_.rows() + bucket * stride + r) * columns + i % columns] +=
                    restore(parameters.transformer_weights[plan_.input.number(block, r) * width + i],
                            activation_unit * places[bucket]);
    }
    if (plan_.factorised) separate_common_rows();
    for (std::size_t i = 0; i < width; ++i)
        groups_[transformer_bias].value[i] = restore(parameters.transformer_bias[i], activation_unit);
    const eval::nnue::LayerStack& stack = parameters.stacks.front();
    for_each_first(plan_, [&](std::size_t at, int o, int i) {
        groups_[first].value[at] = restore(stack.first.weight(o, i), hidden_unit);
    });
    for_each_second(plan_, [&](std::size_t at, int o, int i) {
        groups_[second].value[at] = restore(stack.second.weight(o, i), hidden_unit);
    });
    for (std::size_t o = 0; o < stack.first.bias.size(); ++o)
        groups_[first_bias].value[o] = restore(stack.first.bias[o] - lost_by_division, hidden_unit * activation_unit);
    for (std::size_t o = 0; o < stack.second.bias.size(); ++o) {
        groups_[second_bias].value[o] = restore(stack.second.bias[o] - lost_by_division, hidden_unit * activation_unit);
        groups_[output].value[o] = restore(stack.output.weight(0, static_cast<int>(o)), output_unit / activation_unit);
    }
    groups_[output_bias].value[0] = restore(stack.output.bias[0], output_unit);
}

// The common rows become the means over all buckets, and the others what is left.
void Model::separate_common_rows() {
    const std::size_t slice_size = plan_.input.stride * plan_.columns;
    const auto buckets = static_cast<float>(plan_.buckets.count);
    for (std::size_t slice = 0; slice < plan_.slices; ++slice)
        for (std::size_t i = 0; i < slice_size; ++i) {
            const auto place = [&](std::size_t bucket) -> float& {
                return groups_[transformer].value[(slice * plan_.buckets.count + bucket) * slice_size + i];
            };
            float sum = 0;
            for (std::size_t bucket = 0; bucket < plan_.buckets.count; ++bucket)
                sum += place(bucket);
            const float mean = sum / buckets;
            groups_[shared].value[slice * slice_size + i] = mean;
            for (std::size_t bucket = 0; bucket < plan_.buckets.count; ++bucket)
                place(bucket) -= mean;
        }
}

Parameters Model::quantised() const {
    Parameters net(plan_.architecture);
    const std::size_t stride = plan_.input.stride;
    const std::size_t columns = plan_.columns;
    const std::size_t width = plan_.slices * columns;
    const base::HugeArray<float>& rows = result(transformer);
    const base::HugeArray<float>& common = result(shared);
    for (std::size_t block = 0; block < plan_.input.blocks; ++block) {
        const std::size_t bucket = plan_.buckets.bucket_of[block];
        for (std::size_t r = 0; r < stride; ++r)
            for (std::size_t i = 0; i < width; ++i) {
                const std::size_t slice = i / columns;
                float value = rows[(slice * plan_.rows() + bucket * stride + r) * columns + i % columns];
                if (plan_.factorised) value += common[(slice * stride + r) * columns + i % columns];
                net.transformer_weights[plan_.input.number(block, r) * width + i] =
                    quantise<std::int16_t>(value, activation_unit);
            }
    }
    for (std::size_t i = 0; i < width; ++i)
        net.transformer_bias[i] = quantise<std::int16_t>(result(transformer_bias)[i], activation_unit);
    eval::nnue::LayerStack& stack = net.stacks.front();
    for_each_first(plan_, [&](std::size_t at, int o, int i) {
        stack.first.weight(o, i) = quantise<std::int8_t>(result(first)[at], hidden_unit);
    });
    for_each_second(plan_, [&](std::size_t at, int o, int i) {
        stack.second.weight(o, i) = quantise<std::int8_t>(result(second)[at], hidden_unit);
    });
    for (std::size_t o = 0; o < stack.first.bias.size(); ++o)
        stack.first.bias[o] = quantise_bias(result(first_bias)[o]);
    for (std::size_t o = 0; o < stack.second.bias.size(); ++o) {
        stack.second.bias[o] = quantise_bias(result(second_bias)[o]);
        stack.output.weight(0, static_cast<int>(o)) =
            quantise<std::int8_t>(result(output)[o], output_unit / activation_unit);
    }
    stack.output.bias[0] = quantise<std::int32_t>(result(output_bias)[0], output_unit);
    return net;
}

void Model::average(const Kernel& kernel, int threads) {
    ++averaged;
    const float share = 1 / static_cast<float>(averaged);
    constexpr std::size_t part_size = std::size_t{1} << 20;
    for (Group& group : groups_)
        base::parallel_for((group.size() + part_size - 1) / part_size, threads, [&](std::size_t i, int) {
            const std::size_t at = i * part_size;
            kernel.blend(group.average.data() + at, group.value.data() + at, share,
                         std::min(part_size, group.size() - at));
        });
}

}  // namespace tsumugi::learn
