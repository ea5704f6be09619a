// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/surgery.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "eval/nnue/feature.hpp"

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

}  // namespace

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
