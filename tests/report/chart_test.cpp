// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "report/markup.hpp"
#include "report/page.hpp"

namespace tsumugi::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

// What keeps a browser from reading markup: tags that do not match, or quotes left open.
std::string markup_problem(std::string_view text) {
    std::vector<std::string> open;
    for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
        const std::size_t end = text.find('>', at);
        if (end == std::string_view::npos) return "tag without end";
        const std::string_view tag = text.substr(at + 1, end - at - 1);
        if (tag.starts_with('!')) continue;
        if (count(tag, "\"") % 2 != 0) return "odd quotes in <" + std::string(tag) + ">";
        if (tag.starts_with('/')) {
            if (open.empty() || open.back() != tag.substr(1)) return "unexpected <" + std::string(tag) + ">";
            open.pop_back();
        } else if (!tag.ends_with('/')) {
            open.emplace_back(tag.substr(0, tag.find(' ')));
        }
    }
    return open.empty() ? "" : "open <" + open.back() + ">";
}

double attribute(const std::string& element, const std::string& name) {
    const std::size_t begin = element.find(" " + name + "=\"") + name.size() + 3;
    return std::stod(element.substr(begin, element.find('"', begin) - begin));
}

std::vector<std::string> labels(const Axis& axis) {
    std::vector<std::string> result;
    for (const auto& tick : axis.ticks())
        result.push_back(tick.label);
    return result;
}

TEST(Axis, HasRoundTicksThatCoverTheData) {
    EXPECT_THAT(labels(Axis(0, 10, Scale::linear)), ElementsAre("0", "2", "4", "6", "8", "10"));
    EXPECT_THAT(labels(Axis(0.13, 0.42, Scale::linear)),
                ElementsAre("0.10", "0.15", "0.20", "0.25", "0.30", "0.35", "0.40", "0.45"));
    EXPECT_THAT(labels(Axis(0, 2.5e6, Scale::linear)), ElementsAre("0", "0.5M", "1.0M", "1.5M", "2.0M", "2.5M"));
    EXPECT_THAT(labels(Axis(-3, 3, Scale::linear)), ElementsAre("-3", "-2", "-1", "0", "1", "2", "3"));
    EXPECT_THAT(labels(Axis(3, 900, Scale::logarithmic)), Not(testing::IsEmpty()));
    EXPECT_THAT(labels(Axis(1, 1e6, Scale::logarithmic)), ElementsAre("1", "10", "100", "1000", "10000", "100k", "1M"));
    EXPECT_THAT(labels(Axis(1, 90, Scale::logarithmic)), ElementsAre("1", "2", "5", "10", "20", "50", "100"));
}

TEST(Axis, ContainsItsRangeWhateverTheNumbers) {
    base::Random random(1);
    for (int round = 0; round < 2000; ++round) {
        const double size = std::pow(10, random.uniform() * 24 - 12);
        const double low = (random.uniform() - 0.5) * size;
        const double high = low + random.uniform() * size;
        const Axis axis(low, high, Scale::linear);
        ASSERT_LE(axis.low(), low + size * 1e-8);
        ASSERT_GE(axis.high(), high - size * 1e-8);
        ASSERT_GE(axis.ticks().size(), 2U);
        ASSERT_LE(axis.ticks().size(), 12U);
        const Axis logarithmic(size, size * (1 + random.uniform() * 1e6), Scale::logarithmic);
        ASSERT_GE(logarithmic.ticks().size(), 2U);
        ASSERT_LE(logarithmic.ticks().size(), 12U);
        ASSERT_GE(logarithmic.share(size), -1e-6);
    }
}

TEST(Axis, WidensAnEmptyRange) {
    for (const double value : {0.0, 5.0, -2.0}) {
        const Axis axis(value, value, Scale::linear);
        EXPECT_LT(axis.low(), value);
        EXPECT_GT(axis.high(), value);
    }
    EXPECT_GT(Axis(7, 7, Scale::logarithmic).high(), 7);
}

Chart sample(Chart::Kind kind) {
    return {.kind = kind,
            .title = "Speed & <size>",
            .x_label = "threads",
            .y_label = "nodes/s",
            .series = {{"first", {{0, 1, Interval{0.5, 1.5}}, {1, 2}, {2, 4}}}, {"二つ目", {{0, 2}, {1, 3}, {2, 5}}}},
            .categories = {"one", "two", "three"}};
}

TEST(Chart, IsWellFormedAndNeedsNothingElse) {
    for (const auto kind : {Chart::Kind::line, Chart::Kind::scatter, Chart::Kind::bar}) {
        const std::string svg = sample(kind).to_svg();
        EXPECT_EQ(markup_problem(svg), "");
        EXPECT_THAT(svg, HasSubstr("Speed &amp; &lt;size&gt;"));
        EXPECT_THAT(svg, HasSubstr("二つ目"));
        EXPECT_THAT(svg, HasSubstr("prefers-color-scheme:dark"));
        EXPECT_EQ(count(svg, "http"), 1U) << "the name space of SVG and no other address";
        EXPECT_EQ(svg.find("nan"), std::string::npos);
    }
}

TEST(Chart, DrawsEveryPoint) {
    EXPECT_EQ(count(sample(Chart::Kind::line).to_svg(), "<circle"), 6U);
    EXPECT_EQ(count(sample(Chart::Kind::line).to_svg(), "<polyline"), 2U);
    EXPECT_EQ(count(sample(Chart::Kind::scatter).to_svg(), "<polyline"), 0U);
    // Six bars, two legend entries and the frame.
    EXPECT_EQ(count(sample(Chart::Kind::bar).to_svg(), "<rect"), 9U);
    EXPECT_THAT(sample(Chart::Kind::bar).to_svg(), HasSubstr(">three</text>"));
}

TEST(Chart, DrawsErrorBarsOfTheirLength) {
    Chart chart = sample(Chart::Kind::scatter);
    chart.series = {{"only", {{0, 1}, {1, 2, Interval{1.5, 2.5}}, {2, 5}}}};
    const std::string svg = chart.to_svg();
    // The upright line is drawn first, in the colour of the series.
    const std::size_t color = svg.find("stroke=\"#0072b2\"");
    ASSERT_NE(color, std::string::npos);
    const std::string element = svg.substr(svg.rfind("<line", color), 80);
    EXPECT_EQ(attribute(element, "x1"), attribute(element, "x2"));
    // The frame is 312 pixels high for the values 1 to 5.
    EXPECT_NEAR(attribute(element, "y1") - attribute(element, "y2"), 312.0 / 4, 0.11);
    EXPECT_EQ(count(svg, "stroke=\"#0072b2\""), 3U) << "one upright line and two ends";
}

TEST(Chart, LeavesOutWhatCannotBeDrawn) {
    Chart chart = sample(Chart::Kind::line);
    chart.y_scale = Scale::logarithmic;
    chart.series[0].points = {
        {0, 0}, {1, 10}, {2, std::nan("")}, {3, 1000}, {4, std::numeric_limits<double>::infinity()}};
    chart.series.resize(1);
    const std::string svg = chart.to_svg();
    EXPECT_EQ(count(svg, "<circle"), 2U);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(Chart, SaysWhenThereIsNoData) {
    const Chart chart{.kind = Chart::Kind::line, .title = "empty", .x_label = "", .y_label = ""};
    EXPECT_THAT(chart.to_svg(), HasSubstr("no data"));
    EXPECT_EQ(markup_problem(chart.to_svg()), "");
}

TEST(Page, HoldsTextTablesAndCharts) {
    Page page("Match <1>");
    page.add_heading("Result");
    page.add_text("a < b & \"c\"");
    Table table({"name", "score"});
    table.add({"<script>", 3});
    page.add(table);
    page.add(sample(Chart::Kind::bar));
    const std::string html = page.to_html();
    EXPECT_EQ(markup_problem(html), "");
    EXPECT_THAT(html, HasSubstr("<h1>Match &lt;1&gt;</h1>"));
    EXPECT_THAT(html, HasSubstr("a &lt; b &amp; &quot;c&quot;"));
    EXPECT_THAT(html, HasSubstr("<td>&lt;script&gt;</td><td class=\"number\">3</td>"));
    EXPECT_EQ(count(html, "<svg"), 1U);
    EXPECT_EQ(count(html, "http"), 1U);
    EXPECT_EQ(count(html, "<script"), 0U);
}

TEST(EscapeMarkup, ReplacesWhatMarkupCannotHold) {
    EXPECT_EQ(escape_markup("<a b='c' d=\"e\">&\x01\n歩"), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;?\n歩");
}

}  // namespace
}  // namespace tsumugi::report
