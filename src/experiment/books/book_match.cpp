// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/books/book_match.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "arena/match.hpp"
#include "base/progress.hpp"
#include "experiment/planned_match.hpp"

namespace tsumugi::experiment::books {
namespace {

using base::Result;

arena::EngineSpec engine_of(const BookMatch& match, const BookMatchOptions& options, bool with_book) {
    arena::EngineSpec engine;
    engine.name = with_book ? "book" : "no book";
    engine.options = {{"USI_Hash", std::to_string(options.hash_mib)},
                      {"EvalFile", match.net},
                      {"EvalNoiseSigma", std::to_string(options.sigma)},
                      {"EvalNoiseSeed", "{game}"}};
    if (with_book) {
        const arena::OptionValues book{{"USI_OwnBook", "true"},
                                       {"BookFile", std::filesystem::absolute(match.book).string()},
                                       {"BookDepthLimit", "0"},
                                       {"BookSeed", "{game}"}};
        engine.options.insert(engine.options.end(), book.begin(), book.end());
        if (match.best_only) engine.options.emplace_back("BookEvalDiff", "0");
    }
    engine.allowance = options.allowance;
    engine.ponder = match.ponder;
    return engine;
}

std::string count_text(const report::WinDrawLoss& games) {
    return fmt::format("{}-{}-{}", games.wins, games.draws, games.losses);
}

}  // namespace

Result<arena::ScoreSheet> play(const BookMatch& match, const BookMatchOptions& options, const std::stop_token& stop) {
    arena::MatchConfig config;
    config.engines = {engine_of(match, options, true), engine_of(match, options, false)};
    config.games = options.games;
    // Players who ponder need a core each.
    config.pool.concurrency = match.ponder ? std::max(1, options.concurrency / 2) : options.concurrency;
    config.pool.play.adjudication = usual_adjudication();
    config.folder = match.folder;
    auto opened = arena::Match::open(config);
    if (!opened) return opened.error();
    arena::Match& played = **opened;
    base::Progress progress("games: " + match.name, played.games(), played.standing().games());
    played.on_game([&](const arena::StoredGame&, const arena::Standing& standing) {
        progress.note(standing.summary());
        progress.add();
    });
    if (const auto done = played.run(stop); !done) return done.error();
    const auto& sheets = played.standing().sheets();
    return sheets.empty() ? arena::ScoreSheet() : sheets.begin()->second;
}

MatchTable::MatchTable()
    : table_({"match", "book as", "won-drawn-lost", "points %", "without draws %", "Elo", "95 % from", "to"}) {}

void MatchTable::add(const std::string& name, const arena::ScoreSheet& sheet) {
    const auto sample = sheet.sample();
    if (!sample) return;
    add_row(name, "both", sheet.total(), report::estimate_elo(*sample));
    for (const shogi::Color color : {shogi::Color::black, shogi::Color::white})
        if (sheet.as(color).games() > 0)
            add_row(name, color == shogi::Color::black ? "Black" : "White", sheet.as(color),
                    report::estimate_elo(sheet.as(color)));
}

void MatchTable::add_row(const std::string& name, const std::string& side, const report::WinDrawLoss& games,
                         const report::EloEstimate& estimate) {
    const auto decided = static_cast<double>(games.wins + games.losses);
    table_.add({name, side, count_text(games), report::Cell(100 * estimate.score, 1),
                decided > 0 ? report::Cell(100 * static_cast<double>(games.wins) / decided, 1) : report::Cell(),
                report::Cell(estimate.elo, 0), report::Cell(estimate.elo_interval.low, 0),
                report::Cell(estimate.elo_interval.high, 0)});
}

void MatchTable::add(const std::string& name, const std::string& games, double score, double black, double white) {
    table_.add({name, "both", games, {}, report::Cell(score, 1)});
    table_.add({name, "Black", {}, {}, report::Cell(black, 1)});
    table_.add({name, "White", {}, {}, report::Cell(white, 1)});
}

NamedTable MatchTable::table(std::string key, std::string title) const {
    return {std::move(key), std::move(title), table_};
}

}  // namespace tsumugi::experiment::books
