// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/inquiry.hpp"

#include <utility>

namespace tsumugi::ensemble {

think::ClockState clock_for_one_move(think::Milliseconds time) {
    think::ClockState clock;
    clock.byoyomi = time;
    return clock;
}

std::optional<think::Limits> Inquiry::limits() const {
    think::Limits limits = limits_;
    if (due_) {
        const auto left = std::chrono::duration_cast<think::Milliseconds>(*due_ - base::Clock::now());
        if (left <= think::Milliseconds{0}) return std::nullopt;
        limits.clock = clock_for_one_move(left);
    } else if (allotted_) {
        limits.clock = clock_for_one_move(*allotted_);
    }
    return limits;
}

void Inquiry::note(const think::Line& line) {
    const std::lock_guard lock(mutex_);
    if (state_.finished) return;
    if (line.rank > 1) {
        const auto place = static_cast<std::size_t>(line.rank - 2);
        if (place > state_.others.size()) return;  // a gap: of what is in between nothing is known
        if (place == state_.others.size()) state_.others.emplace_back();
        state_.others[place] = line;
        return;
    }
    state_.line = line;
    ++state_.lines;
}

void Inquiry::finish(const think::Answer& answer) {
    {
        const std::lock_guard lock(mutex_);
        if (state_.finished) return;
        state_.finished = true;
        state_.answer = answer;
        state_.when = base::Clock::now();
    }
    bell_->ring();
}

void Inquiry::fail(std::string trouble) {
    {
        const std::lock_guard lock(mutex_);
        if (state_.finished) return;
        state_.finished = true;
        state_.trouble = std::move(trouble);
        state_.when = base::Clock::now();
    }
    bell_->ring();
}

void Inquiry::hit(const std::optional<think::Milliseconds>& allotted) {
    if (!limits_.ponder_signal) return;
    limits_.ponder_signal->hit(allotted ? std::optional(clock_for_one_move(*allotted)) : std::nullopt);
}

Inquiry::State Inquiry::state() const {
    const std::lock_guard lock(mutex_);
    return state_;
}

bool Inquiry::is_finished() const {
    const std::lock_guard lock(mutex_);
    return state_.finished;
}

}  // namespace tsumugi::ensemble
