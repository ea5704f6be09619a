// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/axis.hpp"
#include "report/statistic.hpp"

namespace tsumugi::report {

struct Point {
    double x = 0;
    double y = 0;
    std::optional<Interval> error = std::nullopt;  // drawn as an error bar in y
};

// Points of one name and colour.
struct Series {
    std::string name;
    std::vector<Point> points;
};

// A picture of some series with axes, ticks and a legend, as an SVG text that needs nothing else. It follows the
// reader's choice of a dark or light screen. Values that are not finite, or not positive on a logarithmic axis, are
// left out.
struct Chart {
    enum class Kind { line, scatter, bar };

    Kind kind = Kind::line;
    std::string title;
    std::string x_label;
    std::string y_label;
    std::vector<Series> series = {};
    Scale x_scale = Scale::linear;
    Scale y_scale = Scale::linear;
    // Names of x = 0, 1, 2, … for bars; the x of a bar is rounded to one of them.
    std::vector<std::string> categories = {};

    [[nodiscard]] std::string to_svg() const;
};

}  // namespace tsumugi::report
