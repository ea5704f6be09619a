// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>

namespace tsumugi::base {

// Intervals are always measured on the monotonic clock: the time of day may jump.
using Clock = std::chrono::steady_clock;

class Stopwatch {
public:
    void restart() { start_ = Clock::now(); }
    [[nodiscard]] Clock::duration elapsed() const { return Clock::now() - start_; }
    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(elapsed()).count(); }
    [[nodiscard]] std::chrono::milliseconds milliseconds() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(elapsed());
    }

private:
    Clock::time_point start_ = Clock::now();
};

// A point in time to be finished by, which may be never.
class Deadline {
public:
    static Deadline never() { return Deadline(Clock::time_point::max()); }
    static Deadline at(Clock::time_point when) { return Deadline(when); }

    // A wait too long for the clock to represent is never.
    template <typename Rep, typename Period>
    static Deadline after(std::chrono::duration<Rep, Period> wait) {
        const auto now = Clock::now();
        if (std::chrono::duration<double>(wait) >= std::chrono::duration<double>(Clock::time_point::max() - now))
            return never();
        return Deadline(now + std::chrono::duration_cast<Clock::duration>(wait));
    }

    [[nodiscard]] bool is_never() const { return when_ == Clock::time_point::max(); }
    [[nodiscard]] bool passed() const { return !is_never() && Clock::now() >= when_; }
    [[nodiscard]] Clock::time_point when() const { return when_; }

    // What is left, never negative.
    [[nodiscard]] Clock::duration remaining() const {
        if (is_never()) return Clock::duration::max();
        return std::max(when_ - Clock::now(), Clock::duration::zero());
    }

    // For poll(2): milliseconds rounded up, so that waking means the deadline has passed; -1 for never.
    // A deadline further away than poll can express wakes early, and the caller's loop asks again.
    [[nodiscard]] int poll_timeout() const {
        if (is_never()) return -1;
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(remaining());
        return static_cast<int>(std::min<std::chrono::milliseconds::rep>(wait.count(), 1'000'000'000));
    }

private:
    explicit Deadline(Clock::time_point when) : when_(when) {}
    Clock::time_point when_;
};

}  // namespace tsumugi::base
