// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/match_table.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "arena/rating.hpp"

namespace tsumugi::arena {
namespace {

using report::Cell;

double milliseconds(Microseconds time) { return static_cast<double>(time.count()) / 1000; }

// A mean, or nothing where there is nothing to average.
Cell mean(double sum, std::uint64_t count, int decimals) {
    return count == 0 ? Cell() : Cell(sum / static_cast<double>(count), decimals);
}

std::uint64_t losses(const EngineUsage& usage, std::initializer_list<Reason> reasons) {
    std::uint64_t sum = 0;
    for (const Reason reason : reasons)
        if (const auto found = usage.losses_by.find(reason); found != usage.losses_by.end()) sum += found->second;
    return sum;
}

}  // namespace

report::Table usage_table(const MatchReport& match) {
    report::Table table({"engine", "limits", "moves", "depth", "nodes", "nodes/s", "ms/move", "longest ms",
                         "time losses", "illegal", "failures", "annulled"});
    for (std::size_t i = 0; i < match.engines.size(); ++i) {
        const EngineUsage& usage = match.usage[i];
        const double seconds = static_cast<double>(usage.thoughtful_time.count()) / 1e6;
        table.add({match.engines[i], match.limits[i], usage.moves,
                   mean(static_cast<double>(usage.depth), usage.thoughtful_moves, 2),
                   mean(static_cast<double>(usage.nodes), usage.thoughtful_moves, 0),
                   seconds > 0 ? Cell(static_cast<double>(usage.nodes) / seconds, 0) : Cell(),
                   mean(milliseconds(usage.time), usage.moves, 2), Cell(milliseconds(usage.longest), 2),
                   losses(usage, {Reason::time}), losses(usage, {Reason::illegal_move, Reason::wrong_declaration}),
                   losses(usage, {Reason::crash, Reason::hang, Reason::garbage}), usage.annulled});
    }
    return table;
}

report::Table rating_table(const MatchReport& match) {
    const RatingList list = rate(match.engines.size(), match.standing.sheets());
    std::vector<std::size_t> order(match.engines.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return list.ratings[a].elo > list.ratings[b].elo; });
    report::Table table({"rank", list.padded ? "engine (one draw added)" : "engine", "Elo", "95 % from", "to", "points",
                         "games", "score %"});
    for (std::size_t place = 0; place < order.size(); ++place) {
        const Rating& rating = list.ratings[order[place]];
        table.add({place + 1, match.engines[order[place]], Cell(rating.elo, 1), Cell(rating.interval.low, 1),
                   Cell(rating.interval.high, 1), Cell(rating.points, 1), rating.games,
                   mean(100 * rating.points, rating.games, 1)});
    }
    return table;
}

report::Table duel_table(const MatchReport& match) {
    report::Table table({"first", "second", "won", "drawn", "lost", "score %", "Elo", "95 % from", "to", "LOS %",
                         "pairs 0", "0.5", "1", "1.5", "2"});
    for (const auto& [pairing, sheet] : match.standing.sheets()) {
        const report::WinDrawLoss games = sheet.total();
        const report::EloEstimate elo = report::estimate_elo(*sheet.sample());
        const auto& pairs = sheet.pairs().pairs;
        table.add({match.engines[pairing.first], match.engines[pairing.second], games.wins, games.draws, games.losses,
                   Cell(100 * elo.score, 2), Cell(elo.elo, 1), Cell(elo.elo_interval.low, 1),
                   Cell(elo.elo_interval.high, 1), Cell(100 * elo.superiority, 1), pairs[0], pairs[1], pairs[2],
                   pairs[3], pairs[4]});
    }
    return table;
}

report::Table opening_table(const MatchReport& match) {
    report::Table table({"opening", "games", "points of Black", "%"});
    for (const MatchReport::OpeningResult& result : match.openings) {
        const double points = static_cast<double>(result.black_half_points) / 2;
        table.add({result.opening, result.games, Cell(points, 1), mean(100 * points, result.games, 1)});
    }
    return table;
}

}  // namespace tsumugi::arena
