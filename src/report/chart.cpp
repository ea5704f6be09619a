// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "base/text.hpp"
#include "report/markup.hpp"

namespace tsumugi::report {

namespace {

// Pixels of the picture and of the plot inside it.
constexpr double width = 760;
constexpr double height = 420;
constexpr double left = 80;
constexpr double top = 44;
constexpr double bottom = 356;
constexpr double right_without_legend = 736;
constexpr double right_with_legend = 580;

// Okabe and Ito's colours, which people who confuse red and green can tell apart.
constexpr std::array<const char*, 6> colors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};

constexpr const char* chart_style =
    "<style>.tsumugi-chart{color:#222;background:#fff;font:13px sans-serif}"
    ".tsumugi-chart text{fill:currentColor}"
    ".tsumugi-chart .grid{stroke:currentColor;stroke-opacity:.15}"
    ".tsumugi-chart .frame{stroke:currentColor;fill:none}"
    ".tsumugi-chart .title{font-size:16px;font-weight:bold}"
    "@media (prefers-color-scheme:dark){.tsumugi-chart{color:#ddd;background:#181818}}</style>";

struct Bounds {
    double low = 0;
    double high = 0;
    bool any = false;

    void include(double value) {
        low = any ? std::min(low, value) : value;
        high = any ? std::max(high, value) : value;
        any = true;
    }
};

// Draws one chart: gathers the text while it knows the axes.
class Drawing {
public:
    explicit Drawing(const Chart& chart)
        : chart_(chart), right_(chart.series.size() > 1 ? right_with_legend : right_without_legend) {}

    std::string draw() {
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tsumugi-chart\" viewBox=\"0 0 {} {}\" width=\"{}\" "
            "height=\"{}\" role=\"img\">{}",
            width, height, width, height, chart_style);
        add("<title>{}</title>", escape_markup(chart_.title));
        text((left + right_) / 2, 24, "middle", chart_.title, " class=\"title\"");
        const Bounds x = x_bounds();
        const Bounds y = y_bounds();
        if (x.any && y.any) {
            const Axis x_axis = make_x_axis(x);
            const Axis y_axis(y.low, y.high, chart_.y_scale);
            x_ = &x_axis;
            y_ = &y_axis;
            draw_axes();
            for (std::size_t i = 0; i < chart_.series.size(); ++i)
                draw_series(i);
        } else {
            text((left + right_) / 2, (top + bottom) / 2, "middle", "no data");
        }
        draw_labels();
        add("</svg>\n");
        return std::move(svg_);
    }

private:
    template <typename... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(svg_), format, std::forward<Values>(values)...);
    }

    void text(double x, double y, const char* anchor, const std::string& content, const std::string& attributes = "") {
        add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>", x, y, anchor, attributes,
            escape_markup(content));
    }

    void line(double x1, double y1, double x2, double y2, const std::string& attributes) {
        add("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>", x1, y1, x2, y2, attributes);
    }

    [[nodiscard]] double place_x(double value) const { return left + x_->share(value) * (right_ - left); }
    [[nodiscard]] double place_y(double value) const { return bottom - y_->share(value) * (bottom - top); }

    [[nodiscard]] bool shows(const Point& point) const {
        const auto fits = [](double value, Scale scale) {
            return std::isfinite(value) && (scale == Scale::linear || value > 0);
        };
        return fits(point.x, chart_.x_scale) && fits(point.y, chart_.y_scale);
    }

    // Error bars reach as far as the axis can show.
    [[nodiscard]] bool shows_error(const Point& point) const {
        return point.error && shows({point.x, point.error->low}) && shows({point.x, point.error->high});
    }

    template <typename Visit>
    void each_point(Visit&& visit) const {
        for (const Series& series : chart_.series)
            for (const Point& point : series.points)
                if (shows(point)) visit(point);
    }

    [[nodiscard]] Bounds x_bounds() const {
        Bounds bounds;
        each_point([&bounds](const Point& point) { bounds.include(point.x); });
        return bounds;
    }

    [[nodiscard]] Bounds y_bounds() const {
        Bounds bounds;
        each_point([&](const Point& point) {
            bounds.include(point.y);
            if (!shows_error(point)) return;
            bounds.include(point.error->low);
            bounds.include(point.error->high);
        });
        // A bar's length is its meaning, so it starts at zero.
        if (chart_.kind == Chart::Kind::bar && chart_.y_scale == Scale::linear && bounds.any) bounds.include(0);
        return bounds;
    }

    [[nodiscard]] Axis make_x_axis(const Bounds& bounds) const {
        if (chart_.kind != Chart::Kind::bar) return Axis(bounds.low, bounds.high, chart_.x_scale);
        std::vector<Axis::Tick> ticks;
        const auto count = std::max(chart_.categories.size(), static_cast<std::size_t>(std::max(bounds.high, 0.0)) + 1);
        for (std::size_t i = 0; i < count; ++i)
            ticks.push_back({static_cast<double>(i), i < chart_.categories.size() ? chart_.categories[i] : ""});
        return Axis(-0.5, static_cast<double>(count) - 0.5, std::move(ticks));
    }

    void draw_axes() {
        for (const auto& tick : y_->ticks()) {
            line(left, place_y(tick.value), right_, place_y(tick.value), "class=\"grid\"");
            text(left - 8, place_y(tick.value) + 4, "end", tick.label);
        }
        for (const auto& tick : x_->ticks()) {
            if (chart_.kind != Chart::Kind::bar)
                line(place_x(tick.value), top, place_x(tick.value), bottom, "class=\"grid\"");
            text(place_x(tick.value), bottom + 18, "middle", base::shorten(tick.label, 24));
        }
        add("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", left, top, right_ - left,
            bottom - top);
    }

    void draw_labels() {
        text((left + right_) / 2, bottom + 44, "middle", chart_.x_label);
        const double middle = (top + bottom) / 2;
        text(18, middle, "middle", chart_.y_label, fmt::format(" transform=\"rotate(-90 18 {})\"", middle));
        if (chart_.series.size() < 2) return;
        for (std::size_t i = 0; i < chart_.series.size(); ++i) {
            const double y = top + 10 + 20 * static_cast<double>(i);
            add("<rect x=\"{}\" y=\"{:.1f}\" width=\"12\" height=\"12\" fill=\"{}\"/>", right_ + 14, y - 6, color(i));
            text(right_ + 32, y + 5, "start", base::shorten(chart_.series[i].name, 36));
        }
    }

    static const char* color(std::size_t series) { return colors[series % colors.size()]; }

    void draw_series(std::size_t index) {
        std::vector<Point> points;
        std::copy_if(chart_.series[index].points.begin(), chart_.series[index].points.end(), std::back_inserter(points),
                     [this](const Point& point) { return shows(point); });
        if (chart_.kind == Chart::Kind::line) draw_path(points, index);
        for (const Point& point : points) {
            double center = place_x(point.x);
            if (chart_.kind == Chart::Kind::bar)
                center = draw_bar(point, index);
            else
                add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>", center, place_y(point.y),
                    color(index));
            if (shows_error(point)) draw_error(center, *point.error, index);
        }
    }

    void draw_path(const std::vector<Point>& points, std::size_t index) {
        add("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"{}\" points=\"", color(index));
        for (const Point& point : points)
            add("{:.1f},{:.1f} ", place_x(point.x), place_y(point.y));
        add("\"/>");
    }

    // The bars of one category stand side by side; returns the middle of this one.
    double draw_bar(const Point& point, std::size_t index) {
        const double category = std::max(std::round(point.x), 0.0);
        const double share = 0.8 / static_cast<double>(chart_.series.size());
        const double from = place_x(category - 0.4 + share * static_cast<double>(index));
        const double to = place_x(category - 0.4 + share * static_cast<double>(index + 1));
        const double base = place_y(chart_.y_scale == Scale::linear ? 0 : y_->low());
        const double tip = place_y(point.y);
        add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>", from,
            std::min(base, tip), to - from, std::abs(base - tip), color(index));
        return (from + to) / 2;
    }

    void draw_error(double x, const Interval& error, std::size_t index) {
        const std::string attributes =
            fmt::format("stroke=\"{}\"", chart_.kind == Chart::Kind::bar ? "currentColor" : color(index));
        const double low = place_y(error.low);
        const double high = place_y(error.high);
        line(x, low, x, high, attributes);
        line(x - 4, low, x + 4, low, attributes);
        line(x - 4, high, x + 4, high, attributes);
    }

    const Chart& chart_;
    double right_;
    const Axis* x_ = nullptr;
    const Axis* y_ = nullptr;
    std::string svg_;
};

}  // namespace

std::string Chart::to_svg() const { return Drawing(*this).draw(); }

}  // namespace tsumugi::report
