// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/descriptor.hpp"
#include "base/text.hpp"

namespace tsumugi::base {

namespace {

// The time left follows the recent speed: over the last 32 drawings, some seconds on a terminal.
constexpr std::size_t remembered_samples = 32;
constexpr Clock::duration redraw_interval = std::chrono::milliseconds(100);
constexpr std::string_view clear_line = "\r\x1b[K";

double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

std::string bar(double share) {
    constexpr std::size_t width = 20;
    const auto filled = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(width));
    return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "]";
}

}  // namespace

ProgressOutput ProgressOutput::standard_error() {
    ProgressOutput output;
    // A log that cannot be written is no reason to stop the work it is about.
    output.write = [](std::string_view text) { std::ignore = write_all(STDERR_FILENO, text); };
    output.terminal = ::isatty(STDERR_FILENO) == 1;
    output.columns = [] {
        winsize size{};
        return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
    };
    if (output.terminal) output.interval = redraw_interval;
    return output;
}

Progress::Progress(std::string label, std::optional<std::uint64_t> total, std::uint64_t already, ProgressOutput output)
    : label_(std::move(label)),
      total_(total),
      output_(std::move(output)),
      start_{output_.now(), already},
      done_(already),
      next_draw_((start_.time + output_.interval).time_since_epoch().count()),
      samples_{start_} {}

Progress::~Progress() { finish(); }

void Progress::add(std::uint64_t count) {
    done_.fetch_add(count, std::memory_order_relaxed);
    const Clock::time_point now = output_.now();
    Clock::rep due = next_draw_.load(std::memory_order_relaxed);
    if (now.time_since_epoch().count() < due) return;
    // Whoever moves the due time draws; the others go on working.
    if (!next_draw_.compare_exchange_strong(due, (now + output_.interval).time_since_epoch().count())) return;
    const std::lock_guard lock(mutex_);
    if (!finished_) draw(now, false);
}

void Progress::note(std::string text) {
    const std::lock_guard lock(mutex_);
    note_ = std::move(text);
}

void Progress::print(std::string_view text) {
    const std::lock_guard lock(mutex_);
    const bool redraw = output_.terminal && drawn_ && !finished_;
    output_.write(fmt::format("{}{}\n", redraw ? clear_line : "", text));
    if (redraw) show(line(output_.now(), false), false);
}

void Progress::finish() {
    const std::lock_guard lock(mutex_);
    if (std::exchange(finished_, true)) return;
    draw(output_.now(), true);
}

void Progress::draw(Clock::time_point now, bool last) {
    show(line(now, last), last);
    samples_.push_back({now, done()});
    if (samples_.size() > remembered_samples) samples_.pop_front();
    drawn_ = true;
}

void Progress::show(const std::string& text, bool last) {
    if (!output_.terminal) {
        output_.write(text + "\n");
        return;
    }
    // A line as wide as the terminal would wrap, and a wrapped line cannot be redrawn.
    const auto room = static_cast<std::size_t>(std::max(output_.columns() - 1, 10));
    output_.write(fmt::format("{}{}{}", clear_line, shorten(text, room), last ? "\n" : ""));
}

std::string Progress::line(Clock::time_point now, bool last) const {
    const std::uint64_t count = done();
    const double speed = rate(now, last);
    std::string text = label_;
    if (total_) {
        const double share = *total_ == 0 ? 1.0 : static_cast<double>(count) / static_cast<double>(*total_);
        if (output_.terminal) text += " " + bar(share);
        // Rounded down: 100% means finished.
        text += fmt::format(" {}% {}/{}", static_cast<int>(share * 100), human_count(static_cast<double>(count)),
                            human_count(static_cast<double>(*total_)));
    } else {
        text += " " + human_count(static_cast<double>(count));
    }
    text += fmt::format(", {}/s", human_count(speed));
    const double elapsed = seconds_between(start_.time, now);
    if (last)
        text += ", took " + human_duration(elapsed);
    else if (total_ && speed > 0 && count <= *total_)
        text += ", " + human_duration(static_cast<double>(*total_ - count) / speed) + " left";
    else
        text += ", " + human_duration(elapsed) + " so far";
    if (!note_.empty()) text += ", " + note_;
    return text;
}

double Progress::rate(Clock::time_point now, bool last) const {
    const Sample& from = last ? start_ : samples_.front();
    const double elapsed = seconds_between(from.time, now);
    return elapsed > 0 ? static_cast<double>(done() - from.done) / elapsed : 0;
}

}  // namespace tsumugi::base
