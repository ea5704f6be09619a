// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/column_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "learn/train/input.hpp"

namespace tsumugi::learn {
namespace {

using eval::nnue::Parameters;

constexpr std::size_t chunk = 4;  // columns that a kernel passes over together

// In which views (two of every position) something is above zero: a bit for each.
using Activity = std::vector<std::uint64_t>;

// Views in which one or the other is active.
std::size_t busy_together(const Activity& a, const Activity& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        count += static_cast<std::size_t>(std::popcount(a[i] | b[i]));
    return count;
}

std::size_t busy(const Activity& a) { return busy_together(a, a); }

void unite(Activity& all, const Activity& more) {
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] |= more[i];
}

// The activity of every column.
std::vector<Activity> observe(const Parameters& net, std::span<const shogi::Setup> positions) {
    const auto feature = net.architecture.feature;
    const auto width = static_cast<std::size_t>(net.architecture.width);
    const InputShape shape = input_shape(feature);
    const InputReader read = input_reader(feature);
    std::vector<Activity> columns(width, Activity((2 * positions.size() + 63) / 64));
    std::vector<std::uint16_t> rows(2 * shape.active);
    std::vector<int> accumulator(width);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        std::array<InputView, 2> views{InputView{0, rows.data()}, InputView{0, rows.data() + shape.active}};
        read(positions[i], false, views[0], views[1]);
        for (std::size_t side = 0; side < 2; ++side) {
            std::copy(net.transformer_bias.begin(), net.transformer_bias.end(), accumulator.begin());
            for (std::size_t r = 0; r < shape.active; ++r) {
                const std::int16_t* row =
                    net.transformer_weights.data() + shape.number(views[side].block, views[side].rows[r]) * width;
                for (std::size_t c = 0; c < width; ++c)
                    accumulator[c] += row[c];
            }
            const std::size_t view = 2 * i + side;
            for (std::size_t c = 0; c < width; ++c)
                if (accumulator[c] > 0) columns[c][view / 64] |= std::uint64_t{1} << view % 64;
        }
    }
    return columns;
}

std::size_t busy_chunks(const std::vector<Activity>& columns, std::span<const std::size_t> order) {
    std::size_t count = 0;
    for (std::size_t c = 0; c < order.size(); c += chunk) {
        Activity together = columns[order[c]];
        for (std::size_t i = 1; i < chunk; ++i)
            unite(together, columns[order[c + i]]);
        count += busy(together);
    }
    return count;
}

// Chunks made one after the other: the column that is active least often, and those that add the least to it.
void order_part(const std::vector<Activity>& columns, std::span<std::size_t> order) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return busy(columns[a]) < busy(columns[b]); });
    for (std::size_t first = 0; first < order.size(); first += chunk) {
        Activity together = columns[order[first]];
        for (std::size_t next = first + 1; next < first + chunk; ++next) {
            const auto best = std::min_element(
                order.begin() + static_cast<std::ptrdiff_t>(next), order.end(), [&](std::size_t a, std::size_t b) {
                    return busy_together(together, columns[a]) < busy_together(together, columns[b]);
                });
            // The others keep their order: rare ones first.
            std::rotate(order.begin() + static_cast<std::ptrdiff_t>(next), best, best + 1);
            unite(together, columns[order[next]]);
        }
    }
}

std::size_t parts_of(const eval::nnue::Layer& first) {
    for (const int parts : {8, 4, 2})
        if (first.inputs / 2 % (parts * static_cast<int>(chunk)) == 0 && eval::nnue::falls_into(first, parts))
            return static_cast<std::size_t>(parts);
    return 1;
}

Parameters reordered(const Parameters& net, std::span<const std::size_t> order) {
    Parameters result = net;
    const std::size_t width = order.size();
    const auto move = [&](const auto* from, auto* to) {
        for (std::size_t c = 0; c < width; ++c)
            to[c] = from[order[c]];
    };
    move(net.transformer_bias.data(), result.transformer_bias.data());
    for (std::size_t at = 0; at < net.transformer_weights.size(); at += width)
        move(net.transformer_weights.data() + at, result.transformer_weights.data() + at);
    const eval::nnue::Layer& from = net.stacks.front().first;
    eval::nnue::Layer& to = result.stacks.front().first;
    for (int o = 0; o < from.outputs; ++o)
        for (std::size_t c = 0; c < width; ++c)
            for (const std::size_t side : {std::size_t{0}, width})
                to.weight(o, static_cast<int>(side + c)) = from.weight(o, static_cast<int>(side + order[c]));
    return result;
}

}  // namespace

base::Result<OrderedColumns> with_ordered_columns(const Parameters& net, std::span<const shogi::Setup> positions) {
    const auto width = static_cast<std::size_t>(net.architecture.width);
    if (net.architecture.shape != eval::nnue::Shape::classic || width % chunk != 0)
        return base::Error{
            base::Error::Code::unsupported,
            fmt::format("columns of classic nets can be ordered, not those of {}", net.architecture.name())};
    if (positions.empty())
        return base::Error{base::Error::Code::range, "there is no position in which to look at the columns"};
    const std::vector<Activity> columns = observe(net, positions);
    std::vector<std::size_t> order(width);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const double chunks = static_cast<double>(2 * positions.size()) * static_cast<double>(width / chunk);
    OrderedColumns result;
    result.busy_before = static_cast<double>(busy_chunks(columns, order)) / chunks;
    const std::size_t part = width / parts_of(net.stacks.front().first);
    for (std::size_t first = 0; first < width; first += part)
        order_part(columns, std::span(order).subspan(first, part));
    result.busy_after = static_cast<double>(busy_chunks(columns, order)) / chunks;
    result.net = reordered(net, order);
    return result;
}

}  // namespace tsumugi::learn
