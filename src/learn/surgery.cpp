// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/surgery.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <vector>

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
        if (to == Feature::kp_hm) return from_kp<KPhm>();
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
        case Feature::kp_hm:
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

std::size_t mirrored_square(std::size_t square) {
    return static_cast<std::size_t>(shogi::Square::from_index(square).mirrored().index());
}

// The row of a piece's mirror image: the block of the mirrored king, and in it the mirrored square of the same plane.
// Pieces in hand stay what they are.
std::size_t mirrored_row(Feature feature, std::size_t row) {
    const std::size_t stride = block_rows(feature) != 0 ? block_rows(feature) : info(feature).inputs;
    std::size_t block = row / stride;
    std::size_t number = row % stride;
    if (block_rows(feature) != 0) {
        std::size_t other = block / shogi::Square::count;
        if (feature == Feature::half_kpk_file) other = 8 - other;
        block = other * shogi::Square::count + mirrored_square(block % shogi::Square::count);
    }
    if (number >= hand_end) {
        const std::size_t square = (number - hand_end) % shogi::Square::count;
        number += mirrored_square(square) - square;
    }
    return block * stride + number;
}

bool mirrors_itself(Feature feature) {
    return feature == Feature::kp_hm || feature == Feature::half_kp_vm || feature == Feature::half_ka_hm1 ||
           feature == Feature::half_ka_hm2;
}

// Part k of n that a whole number is divided into, each rounded so that they add up to it.
int part_of(int whole, std::size_t k, std::size_t n) {
    const auto up_to = [&](std::size_t parts) {
        return static_cast<int>(
            std::floor(static_cast<double>(whole) * static_cast<double>(parts) / static_cast<double>(n)));
    };
    return up_to(k + 1) - up_to(k);
}

// Copies a layer to where its inputs and outputs are in a layer of several nets.
void place(const Layer& from, Layer& to, int first_output, std::span<const int> inputs) {
    for (int o = 0; o < from.outputs; ++o) {
        to.bias[static_cast<std::size_t>(first_output + o)] = from.bias[static_cast<std::size_t>(o)];
        for (int i = 0; i < from.inputs; ++i)
            to.weight(first_output + o, inputs[static_cast<std::size_t>(i)]) = from.weight(o, i);
    }
}

std::vector<int> counted_from(int first, int count) {
    std::vector<int> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
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

base::Result<Parameters> mirrored(const Parameters& net) {
    const Feature feature = net.architecture.feature;
    if (mirrors_itself(feature))
        return base::Error{
            base::Error::Code::unsupported,
            fmt::format("{} mirrors the board already: its nets value a position and its mirror image alike",
                        info(feature).name)};
    if (net.architecture.stacks != LayerStacks{})
        return base::Error{base::Error::Code::unsupported, "nets with several layer stacks cannot be mirrored"};
    Parameters image = net;
    const auto width = static_cast<std::ptrdiff_t>(net.architecture.width);
    for (std::size_t row = 0; row < info(feature).inputs; ++row)
        std::copy_n(net.transformer_weights.begin() + static_cast<std::ptrdiff_t>(mirrored_row(feature, row)) * width,
                    width, image.transformer_weights.begin() + static_cast<std::ptrdiff_t>(row) * width);
    return image;
}

base::Result<Parameters> joined(std::span<const Parameters* const> nets) {
    using base::Error;
    if (nets.empty()) return Error{Error::Code::range, "there is no net to join"};
    Architecture all = nets.front()->architecture;
    all.width = all.first = all.second = 0;
    for (const Parameters* net : nets) {
        const Architecture& each = net->architecture;
        if (each.feature != all.feature || each.shape != Shape::classic || all.shape != Shape::classic)
            return Error{Error::Code::unsupported,
                         fmt::format("classic nets over one feature set can be joined, not {} and {}",
                                     nets.front()->architecture.name(), each.name())};
        all.width += each.width;
        all.first += each.first;
        all.second += each.second;
    }
    if (const std::string reason = unsupported_reason(all); !reason.empty())
        return Error{Error::Code::range, fmt::format("together they would be {}: {}", all.name(), reason)};
    Parameters whole(all);
    LayerStack& stack = whole.stacks.front();
    const auto width = static_cast<std::size_t>(all.width);
    std::size_t column = 0;
    int first = 0;
    int second = 0;
    double output_bias = 0;
    for (std::size_t k = 0; k < nets.size(); ++k) {
        const Parameters& net = *nets[k];
        const LayerStack& part = net.stacks.front();
        const auto columns = static_cast<std::size_t>(net.architecture.width);
        std::copy(net.transformer_bias.begin(), net.transformer_bias.end(),
                  whole.transformer_bias.begin() + static_cast<std::ptrdiff_t>(column));
        for (std::size_t row = 0; row < info(all.feature).inputs; ++row)
            std::copy_n(net.transformer_weights.begin() + static_cast<std::ptrdiff_t>(row * columns), columns,
                        whole.transformer_weights.begin() + static_cast<std::ptrdiff_t>(row * width + column));
        // The player's own accumulator, then the opponent's.
        std::vector<int> inputs = counted_from(static_cast<int>(column), net.architecture.width);
        const std::vector<int> others = counted_from(static_cast<int>(width + column), net.architecture.width);
        inputs.insert(inputs.end(), others.begin(), others.end());
        place(part.first, stack.first, first, inputs);
        place(part.second, stack.second, second, counted_from(first, net.architecture.first));
        for (int i = 0; i < net.architecture.second; ++i)
            stack.output.weight(0, second + i) =
                static_cast<std::int8_t>(part_of(part.output.weight(0, i), k, nets.size()));
        output_bias += part.output.bias[0];
        column += columns;
        first += net.architecture.first;
        second += net.architecture.second;
    }
    stack.output.bias[0] = rounded<std::int32_t>(output_bias / static_cast<double>(nets.size()));
    return whole;
}

}  // namespace tsumugi::learn
