// SPDX-License-Identifier: GPL-3.0-or-later
// How a lineage is written down and shown.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "learn/lineage.hpp"
#include "report/page.hpp"

namespace tsumugi::learn {
namespace {

using base::Error;
using base::Result;
using nlohmann::ordered_json;

ordered_json to_json(const MatchResult& result) {
    return {{"wins", result.games.wins},
            {"draws", result.games.draws},
            {"losses", result.games.losses},
            {"elo", result.estimate.elo},
            {"elo_low", result.estimate.elo_interval.low},
            {"elo_high", result.estimate.elo_interval.high}};
}

MatchResult match_from(const ordered_json& json) {
    // A side that won or lost every game has no finite estimate; JSON has no word for that.
    const auto number = [&json](const char* name, double otherwise) {
        return json.at(name).is_number() ? json.at(name).get<double>() : otherwise;
    };
    MatchResult result;
    result.games = {json.at("wins").get<std::uint64_t>(), json.at("draws").get<std::uint64_t>(),
                    json.at("losses").get<std::uint64_t>()};
    const auto games = static_cast<double>(std::max<std::uint64_t>(result.games.games(), 1));
    result.estimate.score =
        (static_cast<double>(result.games.wins) + 0.5 * static_cast<double>(result.games.draws)) / games;
    const double certain = result.estimate.score > 0.5 ? INFINITY : -INFINITY;
    result.estimate.elo = number("elo", certain);
    result.estimate.elo_interval = {number("elo_low", -INFINITY), number("elo_high", INFINITY)};
    return result;
}

std::string text_of(const MatchResult& result) {
    return fmt::format("{}-{}-{}  {:+.0f} [{:+.0f}, {:+.0f}]", result.games.wins, result.games.draws,
                       result.games.losses, result.estimate.elo, result.estimate.elo_interval.low,
                       result.estimate.elo_interval.high);
}

report::Table table_of(const std::vector<Generation>& generations) {
    report::Table table({"generation", "player", "new positions", "learned", "validation loss", "accuracy %",
                         "against the player", "against the start", "kept", "minutes of the last run"});
    for (const Generation& each : generations)
        table.add({each.number, each.player, each.new_positions, each.learned_positions,
                   each.validation_loss > 0 ? report::Cell(each.validation_loss, 5) : report::Cell(),
                   each.validation_loss > 0 ? report::Cell(100 * each.accuracy, 2) : report::Cell(),
                   text_of(each.against_player), each.against_start ? text_of(*each.against_start) : "",
                   each.kept ? "yes" : "no", report::Cell(each.seconds / 60, 1)});
    return table;
}

}  // namespace

ordered_json Generation::to_json() const {
    ordered_json json{{"number", number},
                      {"player", player},
                      {"net_sha256", net_sha256},
                      {"new_positions", new_positions},
                      {"learned_positions", learned_positions},
                      {"validation_loss", validation_loss},
                      {"accuracy", accuracy},
                      {"against_player", learn::to_json(against_player)}};
    if (against_start) json["against_start"] = learn::to_json(*against_start);
    json["kept"] = kept;
    json["seconds"] = seconds;
    return json;
}

Result<Generation> Generation::from_json(const ordered_json& json) {
    try {
        Generation generation;
        generation.number = json.at("number").get<std::uint64_t>();
        generation.player = json.at("player").get<std::string>();
        generation.net_sha256 = json.at("net_sha256").get<std::string>();
        generation.new_positions = json.at("new_positions").get<std::uint64_t>();
        generation.learned_positions = json.at("learned_positions").get<std::uint64_t>();
        generation.validation_loss = json.at("validation_loss").get<double>();
        generation.accuracy = json.at("accuracy").get<double>();
        generation.against_player = match_from(json.at("against_player"));
        if (json.contains("against_start")) generation.against_start = match_from(json.at("against_start"));
        generation.kept = json.at("kept").get<bool>();
        generation.seconds = json.at("seconds").get<double>();
        return generation;
    } catch (const nlohmann::json::exception& problem) {
        return Error{Error::Code::syntax, fmt::format("a generation is not as it was written: {}", problem.what())};
    }
}

std::string Lineage::to_text() const { return table_of(generations_).to_text(); }

std::string Lineage::to_html() const {
    report::Page page(fmt::format("A lineage from {}", settings_.start));
    report::Series chained{"sum of the steps", {{0, 0}}};
    report::Series direct{fmt::format("match against {}", settings_.start), {}};
    double strength = 0;
    for (const Generation& each : generations_) {
        const auto x = static_cast<double>(each.number);
        if (each.kept) {
            strength += each.against_player.estimate.elo;
            chained.points.push_back({x, strength});
        }
        const MatchResult& with_start = each.against_start ? *each.against_start : each.against_player;
        direct.points.push_back({x, with_start.estimate.elo, with_start.estimate.elo_interval});
    }
    report::Chart chart;
    chart.title = "Strength";
    chart.x_label = "generation";
    chart.y_label = fmt::format("Elo over {}", settings_.start);
    chart.series = {std::move(direct)};
    // How far an ancestor is above the start, no step of this lineage tells.
    if (settings_.ancestor.empty()) chart.series.insert(chart.series.begin(), std::move(chained));
    page.add(chart);
    page.add(table_of(generations_));
    return page.to_html();
}

}  // namespace tsumugi::learn
