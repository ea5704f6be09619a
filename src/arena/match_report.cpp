// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/match_report.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <nlohmann/json.hpp>

#include "base/hash.hpp"

namespace tsumugi::arena {
namespace {

using base::Result;
using nlohmann::ordered_json;
using report::Sprt;
using shogi::Color;

Result<std::optional<Sprt>> planned_sprt(const ordered_json& plan) {
    const auto found = plan.find("sprt");
    if (found == plan.end()) return std::optional<Sprt>();
    Sprt::Bounds bounds;
    bounds.model = found->value("model", "") == "logistic" ? Sprt::Model::logistic : Sprt::Model::normalized;
    bounds.elo0 = found->value("elo0", bounds.elo0);
    bounds.elo1 = found->value("elo1", bounds.elo1);
    bounds.alpha = found->value("alpha", bounds.alpha);
    bounds.beta = found->value("beta", bounds.beta);
    auto sprt = Sprt::create(bounds);
    if (!sprt) return sprt.error();
    return std::optional<Sprt>(*std::move(sprt));
}

// Adds up games one by one.
class Collector {
public:
    explicit Collector(MatchReport& report) : report_(report) {}

    void add(const StoredGame& stored) {
        const PlayedGame& game = stored.game;
        report_.standing.add(stored.outcome());
        ++report_.endings[game.verdict.reason];
        const int points = game.verdict.half_points(Color::black);
        ++report_.by_color[static_cast<std::size_t>(2 - points)];
        if (game.verdict.winner)
            ++report_.usage[stored.engine[shogi::index(~*game.verdict.winner)]].losses_by[game.verdict.reason];
        add_moves(stored);
        add_opening(game, points);
        if (report_.engines.size() == 2) {
            const auto sample = report_.standing.sheets().begin()->second.sample();
            report_.elo_course.push_back(sample ? report::estimate_elo(*sample).elo : 0);
        }
    }

private:
    void add_moves(const StoredGame& stored) {
        const PlayedGame& game = stored.game;
        report_.plies += game.opening.moves.size() + game.moves.size();
        Color mover =
            game.opening.moves.size() % 2 == 0 ? game.opening.start.side_to_move : ~game.opening.start.side_to_move;
        std::string moves = game.opening.text();
        for (const PlayedMove& move : game.moves) {
            report_.usage[stored.engine[shogi::index(mover)]].add(move);
            moves.append(reinterpret_cast<const char*>(&move.move), sizeof move.move);
            mover = ~mover;
        }
        if (!seen_.insert(base::xxhash64(moves)).second) ++report_.duplicates;
    }

    void add_opening(const PlayedGame& game, int black_half_points) {
        const std::string text = game.opening.text();
        const auto [place, is_new] = places_.emplace(text, report_.openings.size());
        if (is_new) report_.openings.push_back({text, 0, 0});
        MatchReport::OpeningResult& result = report_.openings[place->second];
        ++result.games;
        result.black_half_points += static_cast<std::uint64_t>(black_half_points);
    }

    MatchReport& report_;
    std::unordered_set<std::uint64_t> seen_;
    std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace

void EngineUsage::add(const PlayedMove& move) {
    ++moves;
    time += move.time;
    longest = std::max(longest, move.time);
    if (move.nodes == 0) return;
    ++thoughtful_moves;
    depth += static_cast<std::uint64_t>(move.depth);
    nodes += move.nodes;
    thoughtful_time += move.time;
}

Result<MatchReport> MatchReport::collect(ResultStore& results) {
    const auto description = results.description();
    if (!description) return description.error();
    const auto plan = results.plan();
    if (!plan) return plan.error();
    auto sprt = planned_sprt(*plan);
    if (!sprt) return sprt.error();
    MatchReport report;
    for (const auto& engine : description->at("engines")) {
        report.engines.push_back(engine.at("name").get<std::string>());
        report.limits.push_back(engine.at("limits").get<std::string>());
    }
    report.standing = Standing(*std::move(sprt));
    report.usage.resize(report.engines.size());
    Collector collector(report);
    if (const auto done = results.for_each_game([&](const StoredGame& game) { collector.add(game); }); !done)
        return done.error();
    const auto failures = results.failures();
    if (!failures) return failures.error();
    for (const StoredFailure& failure : *failures)
        ++report.usage[failure.engine].annulled;
    return report;
}

}  // namespace tsumugi::arena
