// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace tsumugi::report {

namespace {

// The smallest of 1, 2, 5 times a power of ten that is at least as large.
double round_step(double size) {
    const double power = std::pow(10, std::floor(std::log10(size)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (size <= factor * power * (1 + 1e-9)) return factor * power;
    return 10 * power;
}

// Large values carry a unit; the decimals are those that tell neighbouring ticks apart.
std::string label(double value, double step, double largest) {
    constexpr std::array<const char*, 7> units = {"", "k", "M", "G", "T", "P", "E"};
    std::size_t unit = 0;
    double scale = 1;
    while (largest >= 100000 && largest / scale >= 1000 && unit + 1 < units.size()) {
        scale *= 1000;
        ++unit;
    }
    const double finest = step / scale;
    if (finest < 1e-6) return fmt::format("{:.3g}", value);
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(finest) - 1e-9)));
    const std::string text = fmt::format("{:.{}f}{}", value / scale, decimals, value == 0 ? "" : units[unit]);
    return value == 0 ? "0" : text;
}

}  // namespace

Axis::Axis(double low, double high, Scale scale) : low_(low), high_(high), scale_(scale) {
    assert(std::isfinite(low) && std::isfinite(high) && low <= high);
    assert(scale == Scale::linear || low > 0);
    if (scale_ == Scale::linear)
        place_linear_ticks();
    else
        place_logarithmic_ticks();
}

void Axis::place_linear_ticks() {
    if (low_ == high_) {
        const double margin = low_ == 0 ? 1 : std::abs(low_) * 0.1;
        low_ -= margin;
        high_ += margin;
    }
    const double step = round_step((high_ - low_) / 6);
    const double first = std::floor(low_ / step + 1e-9);
    const double last = std::ceil(high_ / step - 1e-9);
    low_ = first * step;
    high_ = last * step;
    const double largest = std::max(std::abs(low_), std::abs(high_));
    for (double i = first; i <= last; ++i)
        ticks_.push_back({i * step, label(i * step, step, largest)});
}

void Axis::place_logarithmic_ticks() {
    if (low_ == high_) {
        low_ /= 2;
        high_ *= 2;
    }
    // Whole decades; with few of them, 2 and 5 in between.
    const int first = static_cast<int>(std::floor(std::log10(low_) + 1e-9));
    const int last = static_cast<int>(std::ceil(std::log10(high_) - 1e-9));
    low_ = std::pow(10, first);
    high_ = std::pow(10, last);
    const int stride = std::max(1, (last - first + 7) / 8);
    for (int power = first; power <= last; power += stride)
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double value = factor * std::pow(10, power);
            if (value > high_ * (1 + 1e-9) || (factor > 1 && last - first > 2)) break;
            ticks_.push_back({value, label(value, value, value)});
        }
}

double Axis::share(double value) const {
    if (scale_ == Scale::linear) return (value - low_) / (high_ - low_);
    return std::log(value / low_) / std::log(high_ / low_);
}

}  // namespace tsumugi::report
