// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/nnue/architecture.hpp"

#include <array>

#include <fmt/format.h>

#include "eval/nnue/feature.hpp"
#include "eval/nnue/kernel/kernel.hpp"

namespace tsumugi::eval::nnue {
namespace {

constexpr std::uint32_t k_hash = 0xD3CEE169;
constexpr std::uint32_t p_hash = 0x764CFB4B;
constexpr std::uint32_t a2_hash = 0xA20DCB9B;
constexpr std::uint32_t half_kp_hash = 0x5D69D5B8;

// Two sets used together.
constexpr std::uint32_t joined(std::uint32_t a, std::uint32_t b) { return a ^ b << 1 ^ b >> 31; }
static_assert(joined(k_hash, p_hash) == 0x3F5717FF && joined(k_hash, a2_hash) == 0x97D5765E);

// The sets made from HalfKP for an experiment kept its hash.
constexpr std::array<FeatureInfo, 13> features{{
    {Feature::p, "P", "P", P::inputs, p_hash},
    {Feature::kp, "K-P", "K+P", KP::inputs, joined(k_hash, p_hash)},
    // Ours. The hash differs from K-P's as that of HalfKA_hm does from HalfKA's.
    {Feature::kp_hm, "K-P_hm", "K-P_hm(Friend)", KPhm::inputs, joined(k_hash, p_hash) ^ 0x20000000},
    {Feature::ka2, "KA2", "K+A2", KA2::inputs, joined(k_hash, a2_hash)},
    {Feature::half_kp, "HalfKP", "HalfKP(Friend)", HalfKP::inputs, half_kp_hash},
    {Feature::half_kp_vm, "HalfKP_vm", "HalfKP_vm(Friend)", HalfKPvm::inputs, 0x0B6B1D9A},
    {Feature::half_kpe9, "HalfKPE9", "HalfKPE9(Friend)", HalfKPE9::inputs, half_kp_hash},
    {Feature::half_kpk_file, "HalfKPKfile", "HalfKPKfile(Friend)", HalfKPKfile::inputs, half_kp_hash},
    {Feature::half_kpk_rank, "HalfKPKrank", "HalfKPKrank(Friend)", HalfKPKrank::inputs, half_kp_hash},
    {Feature::half_ka1, "HalfKA1", "HalfKA1(Friend)", HalfKA1::inputs, 0x5F134CB8},
    {Feature::half_ka2, "HalfKA2", "HalfKA2(Friend)", HalfKA2::inputs, 0x5F234CB8},
    {Feature::half_ka_hm1, "HalfKA_hm1", "HalfKA_hm1(Friend)", HalfKAhm1::inputs, 0x7F134CB8},
    {Feature::half_ka_hm2, "HalfKA_hm2", "HalfKA_hm2(Friend)", HalfKAhm2::inputs, 0x7F234CB8},
}};

std::string shards_name(const Shards& shards) {
    return shards.groups > 0 ? fmt::format("c{}_s{}x{}", shards.common, shards.size, shards.groups) : std::string();
}

std::size_t layer_bytes(int inputs, int outputs) {
    return static_cast<std::size_t>(outputs) * (4 + static_cast<std::size_t>(padded_inputs(inputs)));
}

constexpr std::uint32_t affine_hash(std::uint32_t previous, int outputs) {
    return (0xCC03DAE4 + static_cast<std::uint32_t>(outputs)) ^ previous >> 1 ^ previous << 31;
}
constexpr std::uint32_t clipped_hash(std::uint32_t previous) { return previous + 0x538D24C7; }

}  // namespace

std::span<const FeatureInfo> all_features() { return features; }

const FeatureInfo& info(Feature feature) { return features[static_cast<std::size_t>(feature)]; }

std::string Architecture::name() const {
    const std::string_view set = info(feature).name;
    if (shape == Shape::classic) return fmt::format("{} {}x2-{}-{}", set, width, first, second);
    std::string result = fmt::format("SFNN {} {}-{}-{}", set, width, first, second);
    for (const std::string& part : {shards_name(shards), stacks.name()})
        if (!part.empty()) result += ' ' + part;
    return result;
}

std::string Architecture::header_string() const {
    const FeatureInfo& set = info(feature);
    const std::string inputs = fmt::format("Features={}[{}->{}x2]", set.file_name, set.inputs, width);
    if (shape == Shape::classic)
        return fmt::format(
            "{0},Network=AffineTransform[1<-{3}](ClippedReLU[{3}](AffineTransform[{3}<-{2}](ClippedReLU[{2}]"
            "(AffineTransform[{2}<-{1}](InputSlice[{1}(0:{1})])))))",
            inputs, 2 * width, first, second);
    std::string network = fmt::format("SFNN_{}_{}_{}_{}", set.name, width, first, second);
    for (const std::string& part : {shards_name(shards), stacks.name()})
        if (!part.empty()) network += '_' + part;
    return fmt::format("ModelType=SFNNWithoutPsqt;{},Network={}{{LayerStack={}}}", inputs, network, stacks.count());
}

std::uint32_t Architecture::transformer_hash() const {
    if (shape == Shape::product) return 0x5F134AB8;
    return info(feature).hash ^ static_cast<std::uint32_t>(2 * width);
}

std::uint32_t Architecture::network_hash() const {
    if (shape == Shape::product) return 0x6333718A;
    std::uint32_t hash = 0xEC42E90D ^ static_cast<std::uint32_t>(2 * width);
    hash = clipped_hash(affine_hash(hash, first));
    hash = clipped_hash(affine_hash(hash, second));
    return affine_hash(hash, 1);
}

std::uint32_t Architecture::file_hash() const {
    if (shape == Shape::product) return 0x3C203B32 ^ (stacks.progress > 1 ? progress_hash : 0);
    return transformer_hash() ^ network_hash();
}

std::size_t Architecture::transformer_bytes() const {
    return 2 * static_cast<std::size_t>(width) * (info(feature).inputs + 1);
}

std::size_t Architecture::stack_bytes() const {
    return layer_bytes(first_inputs(), first_outputs()) + layer_bytes(second_inputs(), second) + layer_bytes(second, 1);
}

std::string unsupported_reason(const Architecture& architecture) {
    const auto outside = [](int value, int low, int high) { return value < low || value > high; };
    if (outside(architecture.width, 1, max_width / 2) || architecture.width % 2 != 0)
        return fmt::format("the accumulator would be {} wide (even numbers up to {} are supported)", architecture.width,
                           max_width / 2);
    if (outside(architecture.first_outputs(), 1, max_hidden) || outside(architecture.second, 1, max_hidden) ||
        outside(architecture.second_inputs(), 1, max_hidden))
        return fmt::format("hidden layers of {} and {} (up to {} are supported)", architecture.first,
                           architecture.second, max_hidden);
    return {};
}

}  // namespace tsumugi::eval::nnue
