// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/result_store.hpp"

#include <chrono>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arena/game_text.hpp"
#include "record/usi_game.hpp"

namespace tsumugi::arena {
namespace {

using base::Error;
using base::Result;
using nlohmann::ordered_json;

constexpr std::array<std::string_view, 1> result_schema{
    R"(CREATE TABLE match (description TEXT NOT NULL, plan TEXT NOT NULL, started TEXT NOT NULL);
       CREATE TABLE engine (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
       -- id counts games in the order they ended; start is the opening as USI writes it; thoughts is a JSON array
       -- with [centipawns, mate, depth, nodes, microseconds] for each move.
       CREATE TABLE game (
           id INTEGER PRIMARY KEY,
           number INTEGER NOT NULL UNIQUE,
           pair INTEGER NOT NULL,
           black INTEGER NOT NULL REFERENCES engine,
           white INTEGER NOT NULL REFERENCES engine,
           start TEXT NOT NULL,
           moves TEXT NOT NULL,
           thoughts TEXT NOT NULL,
           black_points REAL NOT NULL,
           reason TEXT NOT NULL,
           detail TEXT NOT NULL,
           ended TEXT NOT NULL);
       -- Games that were annulled because a program failed.
       CREATE TABLE failure (
           id INTEGER PRIMARY KEY,
           game INTEGER NOT NULL,
           engine INTEGER NOT NULL REFERENCES engine,
           reason TEXT NOT NULL,
           detail TEXT NOT NULL,
           at TEXT NOT NULL);)"};

Result<StoredGame> parse_row(const store::Statement& row) {
    StoredGame stored;
    stored.number = row.get<std::uint64_t>(0);
    stored.pair = row.get<std::uint64_t>(1);
    stored.engine = {row.get<std::size_t>(2), row.get<std::size_t>(3)};
    const auto start = record::parse_usi_game(row.get<std::string>(4));
    if (!start) return start.error().in(fmt::format("game {}", stored.number));
    stored.game.opening = {start->start, start->main_moves()};
    stored.game.moves = parse_moves(row.get<std::string>(5), row.get<std::string>(6));
    const auto points = row.get<double>(7);
    if (points > 0.5) stored.game.verdict.winner = shogi::Color::black;
    if (points < 0.5) stored.game.verdict.winner = shogi::Color::white;
    const auto reason = find_reason(row.get<std::string>(8));
    if (!reason) return reason.error().in(fmt::format("game {}", stored.number));
    stored.game.verdict.reason = *reason;
    stored.game.verdict.detail = row.get<std::string>(9);
    stored.ended = row.get<std::string>(10);
    return stored;
}

Result<ordered_json> parse_json(Result<std::optional<std::string>> text) {
    if (!text) return text.error();
    if (!*text) return Error{Error::Code::io, "the file holds no match"};
    auto value = ordered_json::parse(**text, nullptr, false);
    if (value.is_discarded()) return Error{Error::Code::syntax, "the description of the match is damaged"};
    return value;
}

}  // namespace

std::string timestamp() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

Result<ResultStore> ResultStore::open(const std::filesystem::path& file, const ordered_json& description) {
    auto database = store::Database::open(file);
    if (!database) return database.error();
    if (const auto migrated = database->migrate(result_schema); !migrated) return migrated.error().in(file.string());
    ResultStore opened(*std::move(database));
    const auto known = opened.database_.value<std::string>("SELECT description FROM match");
    if (!known) return known.error();
    if (!*known) {
        if (const auto begun = opened.begin(description); !begun) return begun.error();
    } else if (**known != description.dump()) {
        return Error{Error::Code::unsupported,
                     fmt::format("{} holds another match (other engines, programs, openings or rules); choose another "
                                 "folder with --out",
                                 file.string())};
    }
    return opened;
}

Result<void> ResultStore::begin(const ordered_json& description) {
    auto transaction = store::Transaction::begin(database_);
    if (!transaction) return transaction.error();
    if (const auto done = database_.run("INSERT INTO match (description, plan, started) VALUES (?, '{}', ?)",
                                        description.dump(), timestamp());
        !done)
        return done;
    std::size_t id = 0;
    for (const auto& engine : description.at("engines"))
        if (const auto done = database_.run("INSERT INTO engine (id, name) VALUES (?, ?)", id++,
                                            engine.at("name").get<std::string>());
            !done)
            return done;
    return transaction->commit();
}

Result<ResultStore> ResultStore::read(const std::filesystem::path& file) {
    auto database = store::Database::open(file, store::Database::Mode::read_only);
    if (!database) return database.error();
    return ResultStore(*std::move(database));
}

Result<void> ResultStore::add(const StoredGame& stored) {
    const PlayedGame& game = stored.game;
    return database_.run(
        "INSERT INTO game (number, pair, black, white, start, moves, thoughts, black_points, reason, detail, ended) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        stored.number, stored.pair, stored.engine[0], stored.engine[1], game.opening.text(), move_text(game.moves),
        thought_text(game.moves), game.verdict.half_points(shogi::Color::black) / 2.0, name(game.verdict.reason),
        game.verdict.detail, stored.ended);
}

Result<void> ResultStore::add(const StoredFailure& failure) {
    return database_.run("INSERT INTO failure (game, engine, reason, detail, at) VALUES (?, ?, ?, ?, ?)", failure.game,
                         failure.engine, failure.reason, failure.detail, timestamp());
}

Result<void> ResultStore::set_plan(const ordered_json& plan) {
    return database_.run("UPDATE match SET plan = ?", plan.dump());
}

Result<ordered_json> ResultStore::description() {
    return parse_json(database_.value<std::string>("SELECT description FROM match"));
}

Result<ordered_json> ResultStore::plan() { return parse_json(database_.value<std::string>("SELECT plan FROM match")); }

Result<void> ResultStore::for_each_game(const std::function<void(const StoredGame&)>& visit) {
    auto rows = database_.prepare(
        "SELECT number, pair, black, white, start, moves, thoughts, black_points, reason, detail, ended FROM game "
        "ORDER BY id");
    if (!rows) return rows.error();
    for (;;) {
        const auto more = rows->step();
        if (!more) return more.error();
        if (!*more) return {};
        const auto game = parse_row(*rows);
        if (!game) return game.error();
        visit(*game);
    }
}

Result<std::vector<StoredFailure>> ResultStore::failures() {
    auto rows = database_.prepare("SELECT game, engine, reason, detail FROM failure ORDER BY id");
    if (!rows) return rows.error();
    std::vector<StoredFailure> failures;
    for (;;) {
        const auto more = rows->step();
        if (!more) return more.error();
        if (!*more) return failures;
        failures.push_back({rows->get<std::uint64_t>(0), rows->get<std::size_t>(1), rows->get<std::string>(2),
                            rows->get<std::string>(3)});
    }
}

}  // namespace tsumugi::arena
