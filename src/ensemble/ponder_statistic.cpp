// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/ponder_statistic.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace tsumugi::ensemble {

void PonderStatistic::note_hit(int rank, think::Milliseconds pondered) {
    const auto place = static_cast<std::size_t>(rank - 1);
    if (place >= hits.size()) hits.resize(place + 1);
    ++hits[place];
    gained += pondered;
}

void PonderStatistic::add(const PonderStatistic& other) {
    hits.resize(std::max(hits.size(), other.hits.size()));
    for (std::size_t i = 0; i < other.hits.size(); ++i)
        hits[i] += other.hits[i];
    misses += other.misses;
    gained += other.gained;
}

std::uint64_t PonderStatistic::hit_count() const { return std::accumulate(hits.begin(), hits.end(), std::uint64_t{0}); }

double PonderStatistic::hit_rate(std::size_t ranks) const {
    if (replies() == 0) return 0;
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < std::min(ranks, hits.size()); ++i)
        count += hits[i];
    return static_cast<double>(count) / static_cast<double>(replies());
}

std::string PonderStatistic::summary() const {
    return fmt::format("guessed {} of {} replies (by rank {}), {:.1f} s gained", hit_count(), replies(),
                       hits.empty() ? "-" : fmt::format("{}", fmt::join(hits, ", ")),
                       std::chrono::duration<double>(gained).count());
}

}  // namespace tsumugi::ensemble
