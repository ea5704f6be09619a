// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "arena/match_report.hpp"
#include "arena/match_table.hpp"
#include "arena/rating.hpp"
#include "report/page.hpp"

namespace tsumugi::arena {
namespace {

using report::Chart;
using report::Point;
using report::Series;

Series course(std::string name, const std::vector<double>& values) {
    Series series{std::move(name), {}};
    for (std::size_t i = 0; i < values.size(); ++i)
        series.points.push_back({static_cast<double>(i + 1), values[i]});
    return series;
}

Series level(std::string name, double value, std::size_t games) {
    return {std::move(name), {{1, value}, {static_cast<double>(games), value}}};
}

Chart llr_chart(const Standing& standing) {
    Chart chart{Chart::Kind::line, "Sequential test", "games", "log-likelihood ratio"};
    const std::size_t games = standing.llr_course().size();
    chart.series = {course("LLR", standing.llr_course()), level("accept H1", standing.sprt()->upper(), games),
                    level("accept H0", standing.sprt()->lower(), games)};
    return chart;
}

Chart ending_chart(const MatchReport& match) {
    Chart chart{Chart::Kind::bar, "Endings", "reason", "games"};
    Series series{"games", {}};
    for (const auto& [reason, count] : match.endings) {
        series.points.push_back({static_cast<double>(chart.categories.size()), static_cast<double>(count)});
        chart.categories.emplace_back(name(reason));
    }
    chart.series = {std::move(series)};
    return chart;
}

Chart pair_chart(const MatchReport& match) {
    Chart chart{Chart::Kind::bar, "Points of the first engine in pairs of games", "points", "pairs"};
    chart.categories = {"0", "0.5", "1", "1.5", "2"};
    for (const auto& [pairing, sheet] : match.standing.sheets()) {
        Series series{match.engines[pairing.first] + " against " + match.engines[pairing.second], {}};
        for (std::size_t i = 0; i < 5; ++i)
            series.points.push_back({static_cast<double>(i), static_cast<double>(sheet.pairs().pairs[i])});
        chart.series.push_back(std::move(series));
    }
    return chart;
}

Chart rating_chart(const MatchReport& match) {
    Chart chart{Chart::Kind::bar, "Ratings", "engine", "Elo above the average"};
    chart.categories = match.engines;
    const RatingList list = rate(match.engines.size(), match.standing.sheets());
    Series series{"Elo", {}};
    for (std::size_t i = 0; i < list.ratings.size(); ++i)
        series.points.push_back({static_cast<double>(i), list.ratings[i].elo, list.ratings[i].interval});
    chart.series = {std::move(series)};
    return chart;
}

}  // namespace

std::string MatchReport::to_html() const {
    std::string title = "Match:";
    for (const std::string& engine : engines)
        title += " " + engine;
    report::Page page(title);
    page.add_text(summary_line(*this));
    if (duplicates > 0)
        page.add_text(fmt::format("{} games repeat an earlier one move by move and prove nothing.", duplicates));
    page.add_heading("Results");
    page.add(duel_table(*this));
    if (standing.sprt()) {
        page.add_text(sprt_line(standing));
        page.add(llr_chart(standing));
    }
    if (!elo_course.empty()) {
        Chart chart{Chart::Kind::line, "Elo of " + engines.front(), "games", "Elo"};
        chart.series = {course("Elo", elo_course)};
        page.add(chart);
    }
    page.add(pair_chart(*this));
    if (engines.size() > 2) {
        page.add_heading("Ratings");
        page.add(rating_table(*this));
        page.add(rating_chart(*this));
    }
    page.add_heading("Engines");
    page.add(usage_table(*this));
    page.add_heading("Endings");
    page.add(ending_chart(*this));
    page.add_heading("Openings");
    page.add(opening_table(*this));
    return page.to_html();
}

}  // namespace tsumugi::arena
