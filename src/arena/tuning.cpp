// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/tuning.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arena/folder_lock.hpp"
#include "arena/own_contestant.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "report/page.hpp"

namespace tsumugi::arena {
namespace {

using base::Error;
using base::Result;
using nlohmann::ordered_json;
using shogi::Color;

constexpr std::array<std::string_view, 1> tuning_schema{
    R"(CREATE TABLE tuning (description TEXT NOT NULL);
       -- id counts pairs of games in the order they ended; points are those of the plus side minus those of the minus
       -- side; numbers is a JSON array of all values after the iteration.
       CREATE TABLE iteration (
           id INTEGER PRIMARY KEY,
           number INTEGER NOT NULL UNIQUE,
           points REAL NOT NULL,
           numbers TEXT NOT NULL);)"};

// The two players: the same engine moved in opposite directions.
constexpr std::size_t plus_side = 0;
constexpr std::size_t minus_side = 1;

// A chart with more lines or points cannot be read.
constexpr std::size_t lines_of_chart = 6;
constexpr std::size_t points_of_line = 300;

}  // namespace

Result<TuneParameter> parse_tune_parameter(const std::vector<std::string>& words) {
    if (words.empty()) return Error{Error::Code::syntax, "--param needs a name"};
    TuneParameter parameter;
    parameter.name = words[0];
    parameter.step = 0;
    if (const search::Tunable* const tunable = find_tunable(words[0])) {
        parameter.name = tunable->name;
        parameter.start = search::Parameters().*(tunable->member);
        parameter.minimum = tunable->minimum;
        parameter.maximum = tunable->maximum;
    }
    const std::array<std::pair<std::string_view, double*>, 5> fields{{{"start", &parameter.start},
                                                                      {"min", &parameter.minimum},
                                                                      {"max", &parameter.maximum},
                                                                      {"step", &parameter.step},
                                                                      {"rate", &parameter.rate}}};
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto equals = words[i].find('=');
        double* target = nullptr;
        for (const auto& [name, field] : fields)
            if (equals != std::string::npos && words[i].substr(0, equals) == name) target = field;
        if (target == nullptr)
            return Error{Error::Code::syntax,
                         fmt::format("--param {}: '{}' is not start=, min=, max=, step= or rate=", words[0], words[i])};
        const auto number = base::parse_number<double>(std::string_view(words[i]).substr(equals + 1));
        if (!number) return number.error().in("--param " + words[0]);
        *target = *number;
    }
    if (!(parameter.minimum < parameter.maximum))
        return Error{Error::Code::range,
                     fmt::format("--param {}: no number of the search has this name, and an option of another program "
                                 "needs start=, min= and max=",
                                 words[0])};
    if (parameter.step == 0) parameter.step = (parameter.maximum - parameter.minimum) / 20;
    if (const auto good = parameter.check(); !good) return good.error();
    return parameter;
}

Result<void> TuneConfig::check() const {
    if (const auto good = engine.check(); !good) return good;
    if (spsa.parameters.empty()) return Error{Error::Code::syntax, "nothing to tune: give --param NAME"};
    if (spsa.iterations == 0) return Error{Error::Code::range, "at least one iteration is needed"};
    for (const TuneParameter& parameter : spsa.parameters) {
        if (const auto good = parameter.check(); !good) return good;
        if (engine.is_own() && find_tunable(parameter.name) == nullptr)
            return Error{Error::Code::range, fmt::format("the search has no number called '{}'", parameter.name)};
    }
    return {};
}

Result<ordered_json> TuneConfig::description() const {
    ordered_json json;
    auto one = describe(engine);
    if (!one) return one.error();
    json["engine"] = *std::move(one);
    for (const TuneParameter& each : spsa.parameters)
        json["parameters"].push_back({{"name", each.name},
                                      {"start", each.start},
                                      {"minimum", each.minimum},
                                      {"maximum", each.maximum},
                                      {"step", each.step},
                                      {"rate", each.rate}});
    json["iterations"] = spsa.iterations;
    json["seed"] = spsa.seed;
    auto suite = openings.description();
    if (!suite) return suite.error();
    json["openings"] = *std::move(suite);
    json["play"] = describe(pool.play);
    return json;
}

Tuning::Tuning(TuneConfig config, base::Descriptor lock, OpeningSuite openings, store::Database database)
    : config_(std::move(config)),
      lock_(std::move(lock)),
      openings_(std::move(openings)),
      database_(std::move(database)),
      spsa_(config_.spsa) {}

Result<std::unique_ptr<Tuning>> Tuning::open(const TuneConfig& config) {
    if (const auto good = config.check(); !good) return good.error();
    auto openings = config.openings.load();
    if (!openings) return openings.error();
    const auto description = config.description();
    if (!description) return description.error();
    TuneConfig placed = config;
    if (placed.folder.empty())
        placed.folder = std::filesystem::path("tunings") / base::sha256_hex(description->dump()).substr(0, 12);
    auto lock = lock_folder(placed.folder);
    if (!lock) return lock.error();
    auto database = store::Database::open(placed.folder / "tune.db");
    if (!database) return database.error();
    if (const auto migrated = database->migrate(tuning_schema); !migrated) return migrated.error();
    std::unique_ptr<Tuning> tuning(
        new Tuning(std::move(placed), *std::move(lock), *std::move(openings), *std::move(database)));
    if (const auto loaded = tuning->load(*description); !loaded) return loaded.error();
    return tuning;
}

Result<void> Tuning::load(const ordered_json& description) {
    const auto known = database_.value<std::string>("SELECT description FROM tuning");
    if (!known) return known.error();
    if (!*known) return database_.run("INSERT INTO tuning (description) VALUES (?)", description.dump());
    if (**known != description.dump())
        return Error{Error::Code::unsupported,
                     fmt::format("{} holds another tuning; choose another folder with --out", config_.folder.string())};
    auto rows = database_.prepare("SELECT number, numbers FROM iteration ORDER BY id");
    if (!rows) return rows.error();
    std::string last;
    for (;;) {
        const auto more = rows->step();
        if (!more) return more.error();
        if (!*more) break;
        done_.insert(rows->get<std::uint64_t>(0));
        last = rows->get<std::string>(1);
    }
    if (last.empty()) return {};
    const auto numbers = ordered_json::parse(last, nullptr, false);
    if (!numbers.is_array() || numbers.size() != config_.spsa.parameters.size())
        return Error{Error::Code::syntax, "the state of the tuning is damaged"};
    spsa_.set_values(numbers.get<std::vector<double>>());
    return {};
}

Result<void> Tuning::run(std::stop_token stop) {
    std::array<EngineSpec, 2> sides{config_.engine, config_.engine};
    sides[plus_side].name += " plus";
    sides[minus_side].name += " minus";
    return play_all(*this, sides, config_.pool, std::move(stop));
}

OptionValues Tuning::values(const std::vector<int>& numbers) const {
    OptionValues named;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        named.emplace_back(config_.spsa.parameters[i].name, std::to_string(numbers[i]));
    return named;
}

std::optional<Task> Tuning::next() {
    if (!second_games_.empty()) {
        Task task = std::move(second_games_.front());
        second_games_.pop_front();
        return task;
    }
    while (done_.contains(next_))
        ++next_;
    if (next_ >= config_.spsa.iterations) return std::nullopt;
    const std::uint64_t iteration = next_++;
    const Open& open = open_.emplace(iteration, Open{spsa_.trial(iteration)}).first->second;
    Task first;
    first.number = 2 * iteration;
    first.engine = {plus_side, minus_side};
    first.opening = openings_.at(iteration);
    first.values = {values(open.trial.plus), values(open.trial.minus)};
    Task second = first;
    second.number = first.number + 1;
    std::swap(second.engine[0], second.engine[1]);
    std::swap(second.values[0], second.values[1]);
    second_games_.push_back(std::move(second));
    return first;
}

Result<void> Tuning::store_iteration(const Open& open) {
    // Both sides have two games: what one has more than two half points the other has less.
    const double points = open.half_points - 2;
    spsa_.learn(open.trial, points);
    done_.insert(open.trial.iteration);
    return database_.run("INSERT INTO iteration (number, points, numbers) VALUES (?, ?, ?)", open.trial.iteration,
                         points, ordered_json(spsa_.values()).dump());
}

Result<void> Tuning::finished(const Task& task, const PlayedGame& game) {
    const auto found = open_.find(task.number / 2);
    Open& open = found->second;
    const Color plus_color = task.engine[0] == plus_side ? Color::black : Color::white;
    open.half_points += game.verdict.half_points(plus_color);
    if (++open.games < 2) return {};
    const Open complete = std::move(open);
    open_.erase(found);
    if (const auto stored = store_iteration(complete); !stored) return stored;
    if (listener_) listener_(*this);
    return {};
}

Result<void> Tuning::annulled(const Task&, const PlayedGame&) { return {}; }

report::Table Tuning::table() const {
    report::Table table({"parameter", "value", "start", "minimum", "maximum", "steps moved"});
    for (std::size_t i = 0; i < config_.spsa.parameters.size(); ++i) {
        const TuneParameter& each = config_.spsa.parameters[i];
        const double value = spsa_.values()[i];
        table.add({each.name, report::Cell(value, 2), report::Cell(each.start, 0), report::Cell(each.minimum, 0),
                   report::Cell(each.maximum, 0), report::Cell((value - each.start) / each.step, 2)});
    }
    return table;
}

Result<std::vector<report::Series>> Tuning::courses() {
    const auto& parameters = config_.spsa.parameters;
    std::vector<report::Series> series;
    for (const TuneParameter& each : parameters)
        series.push_back({each.name, {{0, 0}}});
    const std::uint64_t every = done_.size() / points_of_line + 1;
    auto rows = database_.prepare("SELECT id, numbers FROM iteration WHERE id % ? = 0 ORDER BY id");
    if (!rows) return rows.error();
    if (const auto bound = rows->bind(every); !bound) return bound.error();
    for (;;) {
        const auto more = rows->step();
        if (!more) return more.error();
        if (!*more) return series;
        const auto numbers = ordered_json::parse(rows->get<std::string>(1), nullptr, false);
        if (!numbers.is_array() || numbers.size() != parameters.size()) continue;
        for (std::size_t i = 0; i < parameters.size(); ++i)
            series[i].points.push_back({static_cast<double>(rows->get<std::uint64_t>(0)),
                                        (numbers[i].get<double>() - parameters[i].start) / parameters[i].step});
    }
}

Result<std::string> Tuning::to_html() {
    auto series = courses();
    if (!series) return series.error();
    report::Page page(fmt::format("Tuning of {}", config_.engine.name));
    page.add_text(fmt::format("{} of {} pairs of games, {}", done(), config_.spsa.iterations,
                              config_.engine.allowance.describe()));
    page.add(table());
    for (std::size_t first = 0; first < series->size(); first += lines_of_chart) {
        report::Chart chart;
        chart.x_label = "pairs of games";
        chart.y_label = "steps from the start";
        const auto begin = series->begin() + static_cast<std::ptrdiff_t>(first);
        const auto count = std::min(lines_of_chart, series->size() - first);
        chart.series.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
        page.add(chart);
    }
    return page.to_html();
}

}  // namespace tsumugi::arena
