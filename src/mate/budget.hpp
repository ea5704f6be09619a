// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <utility>

#include "base/clock.hpp"

namespace tsumugi::mate {

// How long to look for a mate.
struct Limits {
    base::Deadline deadline = base::Deadline::never();
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
};

// What the threads of one search have left to spend, together.
class Budget {
public:
    Budget(const Limits& limits, std::stop_token stop) : limits_(limits), stop_(std::move(stop)) {}

    // Counts nodes and says whether to go on. Call it with some dozens at a time: it looks at the clock.
    bool spend(std::uint64_t nodes) {
        const std::uint64_t spent = nodes_.fetch_add(nodes, std::memory_order_relaxed) + nodes;
        return !finished_.load(std::memory_order_relaxed) && spent < limits_.nodes && !stop_.stop_requested() &&
               !limits_.deadline.passed();
    }
    // Ends the work of all threads because one has found the answer; renew() lets them begin another.
    void finish() { finished_.store(true, std::memory_order_relaxed); }
    void renew() { finished_.store(false, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

private:
    Limits limits_;
    std::stop_token stop_;
    std::atomic<std::uint64_t> nodes_ = 0;
    std::atomic<bool> finished_ = false;
};

}  // namespace tsumugi::mate
