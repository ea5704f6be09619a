// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "eval/nnue/parameter.hpp"

namespace tsumugi::learn {

// A run of numbers of a net, without the padding of files. Nets of the same architecture have the same sections in the
// same order; several may have one name.
template <typename Net>
struct NetSection {
    template <typename T>
    using Numbers = std::span<std::conditional_t<std::is_const_v<Net>, const T, T>>;

    std::string_view name;
    std::variant<Numbers<std::int8_t>, Numbers<std::int16_t>, Numbers<std::int32_t>> numbers;
};

template <typename Net>
std::vector<NetSection<Net>> sections_of(Net& net) {
    std::vector<NetSection<Net>> sections;
    sections.push_back({"transformer bias", std::span(net.transformer_bias)});
    sections.push_back({"transformer weights", std::span(net.transformer_weights)});
    const auto add = [&sections](std::string_view bias, std::string_view weights, auto& layer) {
        sections.push_back({bias, std::span(layer.bias)});
        const auto padded = static_cast<std::size_t>(eval::nnue::padded_inputs(layer.inputs));
        for (std::size_t row = 0; row < static_cast<std::size_t>(layer.outputs); ++row)
            sections.push_back(
                {weights, std::span(layer.weights).subspan(row * padded, static_cast<std::size_t>(layer.inputs))});
    };
    for (auto& stack : net.stacks) {
        add("layer 1 bias", "layer 1 weights", stack.first);
        add("layer 2 bias", "layer 2 weights", stack.second);
        add("output bias", "output weights", stack.output);
    }
    if (!net.progress.empty()) sections.push_back({"progress", std::span(net.progress)});
    return sections;
}

}  // namespace tsumugi::learn
