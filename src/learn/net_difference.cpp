// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/net_difference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "learn/net_section.hpp"

namespace tsumugi::learn {
namespace {

using eval::nnue::Parameters;

// Adds one section; the mean is a sum until all are added.
template <typename T>
void add_numbers(SectionDifference& all, std::span<const T> a, std::span<const T> b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        const std::int64_t size = std::abs(std::int64_t{a[i]} - std::int64_t{b[i]});
        all.different += size != 0 ? 1 : 0;
        all.largest = std::max(all.largest, size);
        all.mean += static_cast<double>(size);
    }
    all.numbers += a.size();
}

}  // namespace

base::Result<std::vector<SectionDifference>> section_differences(const Parameters& a, const Parameters& b) {
    if (a.architecture != b.architecture)
        return base::Error{base::Error::Code::unsupported, fmt::format("{} and {} have no parts to compare one by one",
                                                                       a.architecture.name(), b.architecture.name())};
    std::vector<SectionDifference> all;
    const auto first = sections_of(a);
    const auto second = sections_of(b);
    for (std::size_t i = 0; i < first.size(); ++i) {
        auto found = std::find_if(all.begin(), all.end(),
                                  [&](const SectionDifference& each) { return each.name == first[i].name; });
        if (found == all.end()) {
            SectionDifference fresh;
            fresh.name = first[i].name;
            found = all.insert(all.end(), fresh);
        }
        std::visit([&](auto numbers) { add_numbers(*found, numbers, std::get<decltype(numbers)>(second[i].numbers)); },
                   first[i].numbers);
    }
    for (SectionDifference& each : all)
        each.mean /= static_cast<double>(std::max<std::uint64_t>(each.numbers, 1));
    return all;
}

void ScoreComparison::add(const shogi::Position& position) {
    if (position.in_check()) return;
    first_->reset(position);
    second_->reset(position);
    const int a = first_->evaluate(position);
    const int b = second_->evaluate(position);
    const int size = std::abs(b - a);
    ++counts_.positions;
    counts_.different += size != 0 ? 1 : 0;
    counts_.other_side += (a > 0 && b < 0) || (a < 0 && b > 0) ? 1 : 0;
    counts_.largest = std::max(counts_.largest, size);
    sum_a_ += a;
    sum_b_ += b;
    sum_aa_ += static_cast<double>(a) * a;
    sum_bb_ += static_cast<double>(b) * b;
    sum_ab_ += static_cast<double>(a) * b;
    sum_size_ += size;
}

ScoreDifference ScoreComparison::difference() const {
    ScoreDifference all = counts_;
    if (all.positions == 0) return all;
    const auto n = static_cast<double>(all.positions);
    const double variance_a = std::max(sum_aa_ / n - sum_a_ / n * (sum_a_ / n), 0.0);
    const double variance_b = std::max(sum_bb_ / n - sum_b_ / n * (sum_b_ / n), 0.0);
    const double covariance = sum_ab_ / n - sum_a_ / n * (sum_b_ / n);
    all.bias = (sum_b_ - sum_a_) / n;
    all.mean = sum_size_ / n;
    all.deviation = std::sqrt(std::max(variance_a + variance_b - 2 * covariance, 0.0));
    const double scale = std::sqrt(variance_a * variance_b);
    all.correlation = scale > 0 ? covariance / scale : 0;
    return all;
}

}  // namespace tsumugi::learn
