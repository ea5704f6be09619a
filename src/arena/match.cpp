// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/match.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arena/folder_lock.hpp"
#include "arena/game_record.hpp"
#include "base/hash.hpp"

namespace tsumugi::arena {
namespace {

using base::Error;
using base::Result;
using nlohmann::ordered_json;

// A name that says who plays, and differs for every different match.
std::filesystem::path default_folder(const MatchConfig& config, const ordered_json& description) {
    std::string name;
    for (const EngineSpec& engine : config.engines)
        name.append(name.empty() ? "" : "-").append(file_name_part(engine.name));
    return std::filesystem::path("matches") /
           (name.substr(0, 80) + "-" + base::sha256_hex(description.dump()).substr(0, 8));
}

ordered_json plan_of(const MatchConfig& config) {
    ordered_json plan;
    plan["games"] = config.games;
    plan["concurrency"] = config.pool.concurrency;
    if (config.sprt)
        plan["sprt"] = {{"model", config.sprt->model == report::Sprt::Model::normalized ? "normalized" : "logistic"},
                        {"elo0", config.sprt->elo0},
                        {"elo1", config.sprt->elo1},
                        {"alpha", config.sprt->alpha},
                        {"beta", config.sprt->beta}};
    return plan;
}

}  // namespace

Match::Match(MatchConfig config, std::filesystem::path folder, base::Descriptor lock, OpeningSuite openings,
             ResultStore results, std::optional<report::Sprt> sprt)
    : config_(std::move(config)),
      folder_(std::move(folder)),
      lock_(std::move(lock)),
      openings_(std::move(openings)),
      results_(std::move(results)),
      schedule_(config_.engines.size(), config_.tournament, config_.games),
      standing_(std::move(sprt)) {}

Result<std::unique_ptr<Match>> Match::open(const MatchConfig& config) {
    if (const auto good = config.check(); !good) return good.error();
    auto openings = config.openings.load();
    if (!openings) return openings.error();
    const auto description = config.description();
    if (!description) return description.error();
    std::optional<report::Sprt> sprt;
    if (config.sprt) sprt = *report::Sprt::create(*config.sprt);

    const std::filesystem::path folder = config.folder.empty() ? default_folder(config, *description) : config.folder;
    auto lock = lock_folder(folder);
    if (!lock) return lock.error();
    auto results = ResultStore::open(folder / result_file, *description);
    if (!results) return results.error();
    std::unique_ptr<Match> match(
        new Match(config, folder, *std::move(lock), *std::move(openings), *std::move(results), std::move(sprt)));
    if (const auto loaded = match->load(); !loaded) return loaded.error();
    return match;
}

Result<void> Match::load() {
    if (const auto done = results_.set_plan(plan_of(config_)); !done) return done;
    Result<void> written;
    const auto loaded = results_.for_each_game([&](const StoredGame& game) {
        played_.insert(game.number);
        standing_.add(game.outcome());
        if (written) written = write_records(game);
    });
    return loaded ? written : loaded;
}

Result<void> Match::run(std::stop_token stop) {
    return play_all(*this, config_.engines, config_.pool, std::move(stop));
}

bool Match::complete() const {
    return standing_.decision() != report::Sprt::State::undecided || played_.size() >= schedule_.games();
}

std::optional<Task> Match::next() {
    if (standing_.decision() != report::Sprt::State::undecided) return std::nullopt;
    while (played_.contains(next_))
        ++next_;
    if (next_ >= schedule_.games()) return std::nullopt;
    const Schedule::Game game = schedule_.game(next_);
    Task task;
    task.number = next_++;
    task.engine = game.engine;
    task.opening = openings_.at(game.opening);
    for (std::size_t color = 0; color < task.values.size(); ++color)
        task.values[color] = config_.engines[game.engine[color]].options_of_game(task.number + 1);
    return task;
}

Result<void> Match::finished(const Task& task, const PlayedGame& game) {
    const StoredGame stored{task.number, schedule_.game(task.number).pair, task.engine, timestamp(), game};
    if (const auto done = results_.add(stored); !done) return done;
    played_.insert(task.number);
    standing_.add(stored.outcome());
    if (const auto done = write_records(stored); !done) return done;
    if (listener_) listener_(stored, standing_);
    return {};
}

Result<void> Match::annulled(const Task& task, const PlayedGame& game) {
    const shogi::Color loser = ~game.verdict.winner.value_or(shogi::Color::black);
    const StoredFailure failure{task.number, task.engine[shogi::index(loser)], std::string(name(game.verdict.reason)),
                                game.verdict.detail};
    if (const auto done = results_.add(failure); !done) return done;
    if (failure_listener_) failure_listener_(failure);
    return {};
}

Result<void> Match::write_records(const StoredGame& game) const {
    for (const record::Format format : config_.records) {
        const GameLabels labels{config_.engines[game.engine[0]].name, config_.engines[game.engine[1]].name, game.ended};
        if (const auto done = write_record(game.game, labels, format, folder_ / "records", game.number); !done)
            return done;
    }
    return {};
}

}  // namespace tsumugi::arena
