// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace tsumugi::report {

enum class Scale { linear, logarithmic };

// The range of values along one side of a chart, and where its ticks are.
class Axis {
public:
    struct Tick {
        double value;
        std::string label;
    };

    // Covers low..high with round ends. On a logarithmic axis both must be positive. An empty range is widened.
    Axis(double low, double high, Scale scale);
    // Covers exactly low..high, with ticks given.
    Axis(double low, double high, std::vector<Tick> ticks) : low_(low), high_(high), ticks_(std::move(ticks)) {}

    [[nodiscard]] double low() const { return low_; }
    [[nodiscard]] double high() const { return high_; }
    [[nodiscard]] const std::vector<Tick>& ticks() const { return ticks_; }
    // Where a value lies, 0 at the low end and 1 at the high end.
    [[nodiscard]] double share(double value) const;

private:
    void place_linear_ticks();
    void place_logarithmic_ticks();

    double low_;
    double high_;
    Scale scale_ = Scale::linear;
    std::vector<Tick> ticks_;
};

}  // namespace tsumugi::report
