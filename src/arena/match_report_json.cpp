// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <nlohmann/json.hpp>

#include "arena/match_report.hpp"
#include "arena/rating.hpp"

namespace tsumugi::arena {
namespace {

using nlohmann::ordered_json;
using report::WinDrawLoss;
using shogi::Color;

// JSON has no infinity.
ordered_json number(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }

ordered_json to_json(const WinDrawLoss& games) {
    return {{"wins", games.wins}, {"draws", games.draws}, {"losses", games.losses}};
}

ordered_json to_json(const ScoreSheet& sheet) {
    ordered_json json = to_json(sheet.total());
    json["as_black"] = to_json(sheet.as(Color::black));
    json["as_white"] = to_json(sheet.as(Color::white));
    json["pentanomial"] = sheet.pairs().pairs;
    if (const auto sample = sheet.sample()) {
        const report::EloEstimate elo = report::estimate_elo(*sample);
        json["score"] = elo.score;
        json["elo"] = number(elo.elo);
        json["elo_95"] = {number(elo.elo_interval.low), number(elo.elo_interval.high)};
        json["normalized_elo"] = number(elo.normalized_elo);
        json["normalized_elo_95"] = {number(elo.normalized_interval.low), number(elo.normalized_interval.high)};
        json["los"] = elo.superiority;
    }
    return json;
}

ordered_json to_json(const EngineUsage& usage) {
    const auto mean = [](double sum, std::uint64_t count) {
        return count == 0 ? ordered_json() : ordered_json(sum / static_cast<double>(count));
    };
    ordered_json json;
    json["moves"] = usage.moves;
    json["mean_depth"] = mean(static_cast<double>(usage.depth), usage.thoughtful_moves);
    json["mean_nodes"] = mean(static_cast<double>(usage.nodes), usage.thoughtful_moves);
    const double seconds = static_cast<double>(usage.thoughtful_time.count()) / 1e6;
    json["nodes_per_second"] = seconds > 0 ? ordered_json(static_cast<double>(usage.nodes) / seconds) : ordered_json();
    json["mean_ms"] = mean(static_cast<double>(usage.time.count()) / 1000, usage.moves);
    json["longest_ms"] = static_cast<double>(usage.longest.count()) / 1000;
    json["losses"] = ordered_json::object();
    for (const auto& [reason, count] : usage.losses_by)
        json["losses"][std::string(name(reason))] = count;
    json["annulled"] = usage.annulled;
    return json;
}

ordered_json to_json(const Standing& standing) {
    const report::Sprt& sprt = *standing.sprt();
    const auto& bounds = sprt.bounds();
    return {{"model", bounds.model == report::Sprt::Model::normalized ? "normalized" : "logistic"},
            {"elo0", bounds.elo0},
            {"elo1", bounds.elo1},
            {"alpha", bounds.alpha},
            {"beta", bounds.beta},
            {"llr", standing.llr_course().empty() ? 0 : standing.llr_course().back()},
            {"lower", sprt.lower()},
            {"upper", sprt.upper()},
            {"state", describe(standing.decision())}};
}

}  // namespace

ordered_json MatchReport::to_json() const {
    using arena::to_json;
    ordered_json json;
    json["games"] = standing.games();
    const RatingList list = rate(engines.size(), standing.sheets());
    for (std::size_t i = 0; i < engines.size(); ++i) {
        ordered_json engine{{"name", engines[i]}, {"limits", limits[i]}};
        if (standing.games() > 0) {
            engine["rating"] = list.ratings[i].elo;
            engine["rating_95"] = {list.ratings[i].interval.low, list.ratings[i].interval.high};
        }
        engine.update(to_json(usage[i]));
        json["engines"].push_back(std::move(engine));
    }
    json["pairings"] = ordered_json::array();
    for (const auto& [pairing, sheet] : standing.sheets()) {
        ordered_json duel{{"first", engines[pairing.first]}, {"second", engines[pairing.second]}};
        duel.update(to_json(sheet));
        json["pairings"].push_back(std::move(duel));
    }
    if (standing.sprt()) json["sprt"] = to_json(standing);
    json["black_wins"] = by_color[0];
    json["draws"] = by_color[1];
    json["white_wins"] = by_color[2];
    json["plies"] = plies;
    json["duplicates"] = duplicates;
    json["endings"] = ordered_json::object();
    for (const auto& [reason, count] : endings)
        json["endings"][std::string(name(reason))] = count;
    for (const OpeningResult& result : openings)
        json["openings"].push_back({{"opening", result.opening},
                                    {"games", result.games},
                                    {"black_points", static_cast<double>(result.black_half_points) / 2}});
    return json;
}

}  // namespace tsumugi::arena
