// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"

namespace tsumugi::base {

// Where a progress display goes. Tests replace the parts; standard_error() is the real one.
struct ProgressOutput {
    std::function<void(std::string_view)> write;
    std::function<Clock::time_point()> now = Clock::now;
    bool terminal = false;
    // Columns of the terminal, asked before every redraw because windows change.
    std::function<int()> columns = [] { return 80; };
    Clock::duration interval = std::chrono::seconds(10);

    static ProgressOutput standard_error();
};

// Shows how far long work is: on a terminal one line that is redrawn, elsewhere a plain line now and
// then. Any number of threads may report; drawing happens in whichever of them is first when it is due.
class Progress {
public:
    // Without a total only the count, rate and time are shown. `already` counts what an earlier run had
    // finished: it shows in the percentage but not in the rate.
    Progress(std::string label, std::optional<std::uint64_t> total, std::uint64_t already = 0,
             ProgressOutput output = ProgressOutput::standard_error());
    // The last line is always written, so that a log says how the work ended.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void add(std::uint64_t count = 1);
    // A short remark at the end of the line, e.g. the current loss. An empty one removes it.
    void note(std::string text);
    // A line of its own above the display.
    void print(std::string_view line);
    // Draws the final state; later calls change nothing. The destructor does the same.
    void finish();

    [[nodiscard]] std::uint64_t done() const { return done_.load(std::memory_order_relaxed); }

private:
    struct Sample {
        Clock::time_point time;
        std::uint64_t done;
    };

    void draw(Clock::time_point now, bool last);
    void show(const std::string& text, bool last);
    [[nodiscard]] std::string line(Clock::time_point now, bool last) const;
    [[nodiscard]] double rate(Clock::time_point now, bool last) const;

    const std::string label_;
    const std::optional<std::uint64_t> total_;
    const ProgressOutput output_;
    const Sample start_;
    std::atomic<std::uint64_t> done_;
    std::atomic<Clock::rep> next_draw_;

    std::mutex mutex_;  // guards what follows
    std::string note_;
    std::deque<Sample> samples_;
    bool drawn_ = false;
    bool finished_ = false;
};

}  // namespace tsumugi::base
