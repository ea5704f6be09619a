// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "eval/evaluation.hpp"
#include "eval/nnue/parameter.hpp"
#include "record/sfen.hpp"
#include "shogi/movegen.hpp"
#include "shogi/position.hpp"

namespace tsumugi::test {

// A net whose parameters are drawn in file order from SplitMix64: any other program can make the same one. The ranges
// keep about half of the activations between their limits.
inline eval::nnue::Parameters random_net(const eval::nnue::Architecture& architecture, std::uint64_t seed) {
    base::SplitMix64 random(seed);
    const auto draw = [&random](int low, int high) {
        return low + static_cast<int>(((random() >> 32) * static_cast<std::uint64_t>(high - low + 1)) >> 32);
    };
    eval::nnue::Parameters net(architecture);
    const bool product = architecture.shape == eval::nnue::Shape::product;
    for (auto& value : net.transformer_bias)
        value = static_cast<std::int16_t>(product ? draw(-100, 100) : draw(-30, 90));
    for (auto& value : net.transformer_weights)
        value = static_cast<std::int16_t>(product ? draw(-20, 20) : draw(-35, 35));
    for (auto& value : net.progress)
        value = draw(-3000, 3000);
    const auto fill = [&draw](eval::nnue::Layer& layer, int weight) {
        for (auto& value : layer.bias)
            value = draw(-2000, 2000);
        for (int o = 0; o < layer.outputs; ++o)
            for (int i = 0; i < layer.inputs; ++i)
                layer.weight(o, i) = static_cast<std::int8_t>(draw(-weight, weight));
    };
    for (auto& stack : net.stacks) {
        fill(stack.first, 9);
        fill(stack.second, 31);
        fill(stack.output, 40);
    }
    return net;
}

// The first hidden layer falls into parts (eval::nnue::falls_into): what connects them becomes zero.
inline void cut_into_parts(eval::nnue::Parameters& net, int parts) {
    eval::nnue::Layer& first = net.stacks[0].first;
    const int width = first.inputs / 2;
    for (int o = 0; o < first.outputs; ++o)
        for (int i = 0; i < first.inputs; ++i)
            if (o * parts / first.outputs != i % width * parts / width) first.weight(o, i) = 0;
}

inline shogi::Position position_of(const std::string& sfen) {
    const auto setup = record::parse_sfen(sfen == "startpos" ? std::string(record::even_sfen) : sfen);
    auto position = shogi::Position::from(*setup);
    return std::move(*position);
}

inline eval::Change change_of(const shogi::Position& position) {
    return {position.state().move, position.state().moved, position.state().captured};
}

}  // namespace tsumugi::test
