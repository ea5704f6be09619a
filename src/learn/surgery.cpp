// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/surgery.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "eval/nnue/feature.hpp"
#include "learn/net_section.hpp"

namespace tsumugi::learn {
namespace {

using namespace eval::nnue;

// The row of K-P for a row of a block of HalfKA, where the own king stands on `king`. Sets with one plane for both
// kings know whose king it is by the place: only one can stand on the square that chose the block.
std::size_t kp_row(std::size_t row, std::size_t king, bool one_king_plane) {
    if (row < first_king_plane || !one_king_plane) return row;
    const std::size_t square = row - first_king_plane;
    return square == king ? row : second_king_plane + square;
}

// Where each row of the larger set comes from, or nothing when it does not contain the smaller one.
template <typename Set>
std::vector<std::size_t> from_kp() {
    std::vector<std::size_t> sources;
    for (std::size_t block = 0; block < Set::blocks; ++block)
        for (std::size_t row = 0; row < static_cast<std::size_t>(Set::stride); ++row)
            sources.push_back(kp_row(row, block, Set::stride == second_king_plane));
    return sources;
}

// Nine copies, whatever chooses among them.
std::vector<std::size_t> from_half_kp() {
    std::vector<std::size_t> sources;
    for (std::size_t row = 0; row < 9 * HalfKP::inputs; ++row)
        sources.push_back(row % HalfKP::inputs);
    return sources;
}
static_assert(HalfKPE9::inputs == 9 * HalfKP::inputs && HalfKPKfile::inputs == 9 * HalfKP::inputs &&
              HalfKPKrank::inputs == 9 * HalfKP::inputs);

std::vector<std::size_t> sources_of(Feature from, Feature to) {
    if (from == Feature::kp) {
        if (to == Feature::half_ka1) return from_kp<HalfKA1>();
        if (to == Feature::half_ka2) return from_kp<HalfKA2>();
        if (to == Feature::half_ka_hm1) return from_kp<HalfKAhm1>();
        if (to == Feature::half_ka_hm2) return from_kp<HalfKAhm2>();
    }
    if (from == Feature::half_kp &&
        (to == Feature::half_kpe9 || to == Feature::half_kpk_file || to == Feature::half_kpk_rank))
        return from_half_kp();
    return {};
}

// Rows of one block; 0 when there is only one.
std::size_t block_rows(Feature feature) {
    switch (feature) {
        case Feature::p:
        case Feature::kp:
        case Feature::ka2: return 0;
        case Feature::half_kp:
        case Feature::half_kp_vm:
        case Feature::half_kpe9:
        case Feature::half_kpk_file:
        case Feature::half_kpk_rank: return HalfKP::stride;
        case Feature::half_ka1:
        case Feature::half_ka_hm1: return HalfKA1::stride;
        case Feature::half_ka2:
        case Feature::half_ka_hm2: return HalfKA2::stride;
    }
    std::abort();  // unreachable: the switch names every value
}

// Blocks follow each other by the own king's square, whose rank counts fastest, then by whatever else selects them.
std::size_t rank_of(King king, std::size_t block) { return king == King::own ? block % 9 : block / 81; }

base::Error differ(const Parameters& a, const Parameters& b) {
    return base::Error{base::Error::Code::unsupported,
                       fmt::format("nets of one architecture can be mixed, not {} and {}", a.architecture.name(),
                                   b.architecture.name())};
}

template <typename T>
T rounded(double value) {
    constexpr double low = std::numeric_limits<T>::min();
    constexpr double high = std::numeric_limits<T>::max();
    return static_cast<T>(std::clamp(std::round(value), low, high));
}

}  // namespace

base::Result<Parameters> averaged(std::span<const Parameters* const> nets, std::span<const double> weights) {
    using base::Error;
    double all = 0;
    for (const double weight : weights)
        all += weight;
    if (nets.empty() || nets.size() != weights.size() || !(all > 0) ||
        std::any_of(weights.begin(), weights.end(), [](double weight) { return !(weight >= 0); }))
        return Error{Error::Code::range, "a mean needs a weight for every net, none below 0 and some above"};
    Parameters mean = *nets.front();
    std::vector<std::vector<NetSection<const Parameters>>> parts;
    for (const Parameters* net : nets) {
        if (net->architecture != mean.architecture) return differ(mean, *net);
        parts.push_back(sections_of(*net));
    }
    const auto sections = sections_of(mean);
    for (std::size_t s = 0; s < sections.size(); ++s)
        std::visit(
            [&]<typename T>(std::span<T> numbers) {
                std::vector<std::span<const T>> from;
                for (const auto& part : parts)
                    from.push_back(std::get<std::span<const T>>(part[s].numbers));
                for (std::size_t i = 0; i < numbers.size(); ++i) {
                    double sum = 0;
                    for (std::size_t n = 0; n < from.size(); ++n)
                        sum += weights[n] * static_cast<double>(from[n][i]);
                    numbers[i] = rounded<T>(sum / all);
                }
            },
            sections[s].numbers);
    return mean;
}

base::Result<void> transplant(Parameters& net, const Parameters& donor, King king, Ranks ranks) {
    using base::Error;
    if (net.architecture != donor.architecture) return differ(net, donor);
    const Feature feature = net.architecture.feature;
    const std::size_t rows = block_rows(feature);
    if (rows == 0 || (king == King::other && feature != Feature::half_kpk_rank))
        return Error{Error::Code::unsupported,
                     fmt::format("{} has no rows of its own for the ranks of {} king", info(feature).name,
                                 king == King::own ? "the" : "the other")};
    const std::size_t size = rows * static_cast<std::size_t>(net.architecture.width);
    for (std::size_t block = 0; (block + 1) * size <= net.transformer_weights.size(); ++block)
        if (ranks[rank_of(king, block)])
            std::copy_n(donor.transformer_weights.begin() + static_cast<std::ptrdiff_t>(block * size), size,
                        net.transformer_weights.begin() + static_cast<std::ptrdiff_t>(block * size));
    return {};
}

base::Result<Parameters> widened(const Parameters& net, Feature feature) {
    const std::vector<std::size_t> sources = sources_of(net.architecture.feature, feature);
    if (sources.empty())
        return base::Error{base::Error::Code::unsupported,
                           fmt::format("a net over {} cannot become one over {}", info(net.architecture.feature).name,
                                       info(feature).name)};
    Architecture architecture = net.architecture;
    architecture.feature = feature;
    Parameters wide(architecture);
    wide.transformer_bias = net.transformer_bias;
    wide.stacks = net.stacks;
    wide.progress = net.progress;
    const auto width = static_cast<std::ptrdiff_t>(architecture.width);
    for (std::size_t row = 0; row < sources.size(); ++row)
        std::copy_n(net.transformer_weights.begin() + static_cast<std::ptrdiff_t>(sources[row]) * width, width,
                    wide.transformer_weights.begin() + static_cast<std::ptrdiff_t>(row) * width);
    return wide;
}

}  // namespace tsumugi::learn
