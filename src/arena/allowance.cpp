// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/allowance.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"

namespace tsumugi::arena {

using base::Error;
using base::Result;
using shogi::Color;

Result<Milliseconds> parse_duration(std::string_view text) {
    double unit = 1;
    std::string_view number = text;
    if (text.ends_with("ms")) {
        number.remove_suffix(2);
    } else if (text.ends_with('s')) {
        unit = 1000;
        number.remove_suffix(1);
    } else if (text.ends_with('m')) {
        unit = 60'000;
        number.remove_suffix(1);
    }
    const auto value = base::parse_number<double>(number);
    constexpr double longest = 1e12;  // thirty years
    if (!value || !(*value >= 0) || *value * unit > longest)
        return Error{Error::Code::syntax,
                     fmt::format("expected a time such as 500, 500ms, 1.5s or 2m, got '{}'", base::shorten(text, 40))};
    return Milliseconds(std::llround(*value * unit));
}

namespace {

Result<bool> set_duration(std::optional<Milliseconds>& target, std::string_view value) {
    const auto duration = parse_duration(value);
    if (!duration) return duration.error();
    target = *duration;
    return true;
}

}  // namespace

Result<bool> Allowance::set(std::string_view name, std::string_view value) {
    if (name == "nodes") {
        const auto number = base::parse_number<std::uint64_t>(value, 1, std::uint64_t{1} << 60);
        if (!number) return number.error().in("nodes");
        nodes = *number;
        return true;
    }
    if (name == "depth") {
        const auto number = base::parse_number<int>(value, 1, 10'000);
        if (!number) return number.error().in("depth");
        depth = *number;
        return true;
    }
    if (name == "movetime") return set_duration(move_time, value);
    if (name == "time") return set_duration(time, value);
    if (name == "inc") return set_duration(increment, value);
    if (name == "byoyomi") return set_duration(byoyomi, value);
    return false;
}

std::string Allowance::describe() const {
    std::string text;
    const auto add = [&](std::string part) { text.append(text.empty() ? "" : " ").append(part); };
    const auto add_time = [&](std::string_view name, const std::optional<Milliseconds>& duration) {
        if (duration) add(fmt::format("{}={}ms", name, duration->count()));
    };
    if (nodes) add(fmt::format("nodes={}", *nodes));
    if (depth) add(fmt::format("depth={}", *depth));
    add_time("movetime", move_time);
    add_time("time", time);
    add_time("inc", increment);
    add_time("byoyomi", byoyomi);
    return text;
}

GameClock::GameClock(const std::array<Allowance, 2>& allowances) : allowances_(allowances) {
    for (std::size_t i = 0; i < 2; ++i)
        remaining_[i] = allowances_[i].time.value_or(Milliseconds(0));
}

think::ClockState GameClock::state(Color side) const {
    think::ClockState clock;
    clock.remaining = remaining_;
    clock.byoyomi = allowances_[shogi::index(side)].byoyomi.value_or(Milliseconds(0));
    // USI states either increments or byoyomi. Where the sides differ, everybody hears of his own kind.
    if (clock.byoyomi > Milliseconds(0)) return clock;
    for (std::size_t i = 0; i < 2; ++i)
        clock.increment[i] = allowances_[i].increment.value_or(Milliseconds(0));
    return clock;
}

think::Limits GameClock::limits(Color side) const {
    const Allowance& own = allowances_[shogi::index(side)];
    think::Limits limits;
    limits.nodes = own.nodes;
    limits.depth = own.depth;
    limits.move_time = own.move_time;
    if (own.has_clock()) limits.clock = state(side);
    return limits;
}

std::optional<Milliseconds> GameClock::allowed(Color side) const {
    const Allowance& own = allowances_[shogi::index(side)];
    std::optional<Milliseconds> longest = own.move_time;
    if (own.has_clock()) {
        const Milliseconds by_clock = remaining_[shogi::index(side)] + own.increment.value_or(Milliseconds(0)) +
                                      own.byoyomi.value_or(Milliseconds(0));
        longest = longest ? std::min(*longest, by_clock) : by_clock;
    }
    return longest;
}

void GameClock::charge(Color side, Milliseconds spent) {
    const Allowance& own = allowances_[shogi::index(side)];
    Milliseconds& left = remaining_[shogi::index(side)];
    left = std::max(left + own.increment.value_or(Milliseconds(0)) - spent, Milliseconds(0));
}

}  // namespace tsumugi::arena
