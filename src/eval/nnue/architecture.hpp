// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "eval/nnue/layer_stack.hpp"

namespace tsumugi::eval::nnue {

enum class Feature {
    p,
    kp,
    kp_hm,
    ka2,
    half_kp,
    half_kp_vm,
    half_kpe9,
    half_kpk_file,
    half_kpk_rank,
    half_ka1,
    half_ka2,
    half_ka_hm1,
    half_ka_hm2,
};

struct FeatureInfo {
    Feature feature;
    std::string_view name;       // ours, e.g. "K-P"
    std::string_view file_name;  // as the header string of a file says it, e.g. "K+P"
    std::size_t inputs;
    std::uint32_t hash;
};

std::span<const FeatureInfo> all_features();
const FeatureInfo& info(Feature feature);

// What is behind the feature transformer.
enum class Shape {
    classic,  // clipped accumulators of both players, two hidden layers
    product,  // SFNN: products of halves of accumulators, one of several layer stacks
};

// Part of the first layer of an SFNN may see only a share of its input ("common + shard"): every output sees the
// first `common` inputs and `size` more of its group. No groups: everything sees everything.
struct Shards {
    int common = 0;
    int size = 0;
    int groups = 0;
    bool operator==(const Shards&) const = default;
};

// The sizes that define a network. `first` and `second` are the hidden layers; a product network whose `first` is one
// less than a multiple of eight has one output more there, which goes straight to the result.
struct Architecture {
    Feature feature = Feature::kp;
    Shape shape = Shape::classic;
    int width = 256;
    int first = 32;
    int second = 32;
    LayerStacks stacks;
    Shards shards;

    [[nodiscard]] bool has_shortcut() const { return shape == Shape::product && first % 8 == 7; }
    [[nodiscard]] int first_inputs() const { return shape == Shape::classic ? 2 * width : width; }
    [[nodiscard]] int first_outputs() const { return first + (has_shortcut() ? 1 : 0); }
    [[nodiscard]] int second_inputs() const { return shape == Shape::classic ? first : 2 * first; }

    // "K-P 256x2-32-32", "SFNN HalfKA_hm2 1536-15-32 k3k3".
    [[nodiscard]] std::string name() const;
    // What other engines' writers put into the header of a file.
    [[nodiscard]] std::string header_string() const;

    [[nodiscard]] std::uint32_t transformer_hash() const;
    [[nodiscard]] std::uint32_t network_hash() const;
    [[nodiscard]] std::uint32_t file_hash() const;

    // Bytes of a classic file's feature transformer, and of one layer stack, without section hashes.
    [[nodiscard]] std::size_t transformer_bytes() const;
    [[nodiscard]] std::size_t stack_bytes() const;

    bool operator==(const Architecture&) const = default;
};

// Marks the section of an SFNN file that holds the weights of the progress of a game.
constexpr std::uint32_t progress_hash = 0x6F50524F;

// Rows of weights are padded with zeros to a multiple of 32 in files.
constexpr int padded_inputs(int inputs) { return (inputs + 31) / 32 * 32; }

// Why such a network cannot be run, or an empty string.
std::string unsupported_reason(const Architecture& architecture);

}  // namespace tsumugi::eval::nnue
