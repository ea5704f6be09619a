// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "think/limits.hpp"

namespace tsumugi::ensemble {

// How well the opponent's replies were guessed, and what that was worth.
struct PonderStatistic {
    std::vector<std::uint64_t> hits;  // by rank: the likeliest reply first
    std::uint64_t misses = 0;         // replies that nobody had pondered
    think::Milliseconds gained{};     // thought about positions on the board before our clock ran

    // Ranks count from 1.
    void note_hit(int rank, think::Milliseconds pondered);
    void note_miss() { ++misses; }
    void add(const PonderStatistic& other);

    [[nodiscard]] std::uint64_t hit_count() const;
    [[nodiscard]] std::uint64_t replies() const { return hit_count() + misses; }
    // The part of the replies that were among the first `ranks` guesses.
    [[nodiscard]] double hit_rate(std::size_t ranks) const;
    // "guessed 15 of 20 replies (by rank 9, 4, 2), 31.2 s gained"
    [[nodiscard]] std::string summary() const;
};

}  // namespace tsumugi::ensemble
