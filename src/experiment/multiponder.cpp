// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/multiponder.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arena/game_play.hpp"
#include "arena/own_contestant.hpp"
#include "arena/score_sheet.hpp"
#include "base/file.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "ensemble/multi_ponder.hpp"
#include "experiment/output.hpp"
#include "experiment/planned_match.hpp"
#include "report/elo.hpp"

namespace tsumugi::experiment {
namespace {

using base::Error;
using base::Result;
using ensemble::MultiPonder;
using ensemble::PonderStatistic;
using nlohmann::json;

// Nothing is lost on the way to a clock in the same process, but a machine with more threads than processors is late at
// times, and games lost by that say nothing.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> exact_clock{{{"NetworkDelay", "0"},
                                                                                    {"NetworkDelay2", "100"},
                                                                                    {"MinimumThinkingTime", "0"},
                                                                                    {"RoundUpToFullSecond", "false"},
                                                                                    {"USI_OwnBook", "false"},
                                                                                    {"USI_Ponder", "true"}}};

// What a late answer is forgiven, for the same reason.
constexpr think::Milliseconds late_answers{200};

class GroupContestant : public arena::PlayerContestant {
public:
    explicit GroupContestant(std::unique_ptr<MultiPonder> group) : group_(std::move(group)) {}
    ~GroupContestant() override { end_pondering(); }

    Result<void> new_game(const arena::OptionValues& /*values*/) override {
        if (const auto ready = group_->prepare(); !ready) return ready;
        group_->new_game();
        return {};
    }
    [[nodiscard]] const PonderStatistic& statistic() const { return group_->statistic(); }

protected:
    think::Player* player() override { return group_.get(); }
    void complete(arena::Reply& /*reply*/) const override {}

private:
    std::unique_ptr<MultiPonder> group_;
};

// One game from the group's point of view.
struct Played {
    std::uint64_t number = 0;
    int half_points = 0;
    std::string ending;  // and who lost, if that was by a fault rather than by his play
    std::size_t plies = 0;
    PonderStatistic statistic;

    [[nodiscard]] json to_json() const {
        return {{"number", number},
                {"half_points", half_points},
                {"ending", ending},
                {"plies", plies},
                {"hits", statistic.hits},
                {"misses", statistic.misses},
                {"gained_ms", statistic.gained.count()}};
    }
    static Played from_json(const json& row) {
        Played played;
        played.number = row.at("number").get<std::uint64_t>();
        played.half_points = row.at("half_points").get<int>();
        played.ending = row.at("ending").get<std::string>();
        played.plies = row.at("plies").get<std::size_t>();
        played.statistic.hits = row.at("hits").get<std::vector<std::uint64_t>>();
        played.statistic.misses = row.at("misses").get<std::uint64_t>();
        played.statistic.gained = think::Milliseconds(row.at("gained_ms").get<std::int64_t>());
        return played;
    }
};

json facts_of(const MultiponderOptions& options) {
    return {{"players", options.players},
            {"threads", options.threads},
            {"mebibytes", options.mebibytes},
            {"byoyomi_ms", options.byoyomi.count()},
            {"prediction_ms", options.prediction.count()},
            {"net", options.net},
            {"openings", options.openings.filename().string()}};
}

// The games of a run, one JSON object a line after the facts; kept in a file so that a run can go on.
class Log {
public:
    static Result<Log> open(const MultiponderOptions& options) {
        Log log;
        if (options.output.empty()) return log;
        std::error_code ignored;
        std::filesystem::create_directories(options.output, ignored);
        const auto file = options.output / "multiponder-games.jsonl";
        const std::string facts = facts_of(options).dump();
        if (std::filesystem::exists(file)) {
            const auto text = base::read_file(file);
            if (!text) return text.error();
            const auto lines = base::split_lines(*text);
            if (lines.empty() || lines[0] != facts)
                return Error{Error::Code::unsupported,
                             file.string() + " holds games with other settings; choose another --output"};
            for (std::size_t i = 1; i < lines.size(); ++i) {
                // The last line of a run that was killed may be cut.
                const json row = json::parse(lines[i], nullptr, false);
                if (!row.is_discarded()) log.games_.push_back(Played::from_json(row));
            }
        }
        const bool is_new = !std::filesystem::exists(file);
        log.file_.open(file, std::ios::app);
        if (is_new) log.file_ << facts << "\n" << std::flush;
        if (!log.file_) return Error{Error::Code::io, "cannot write " + file.string()};
        return log;
    }

    [[nodiscard]] const std::vector<Played>& games() const { return games_; }
    [[nodiscard]] bool has(std::uint64_t number) const {
        return std::any_of(games_.begin(), games_.end(), [&](const Played& each) { return each.number == number; });
    }
    Result<void> add(const Played& played) {
        games_.push_back(played);
        if (!file_.is_open()) return {};
        file_ << played.to_json().dump() << "\n" << std::flush;
        if (!file_) return Error{Error::Code::io, "cannot write the games"};
        return {};
    }

private:
    std::vector<Played> games_;
    std::ofstream file_;
};

Result<std::unique_ptr<GroupContestant>> make_group(const MultiponderOptions& options) {
    ensemble::Config config;
    const auto member = [&](const std::string& name, int mebibytes) {
        ensemble::MemberConfig one;
        one.name = name;
        one.options = {{"USI_Hash", std::to_string(std::max(mebibytes, 1))}, {"EvalFile", options.net}};
        return one;
    };
    for (int i = 0; i < options.players; ++i)
        config.members.push_back(member(fmt::format("player{}", i + 1), options.mebibytes / options.players));
    config.rule = "leader";
    config.prediction.player = member("prediction", 16);
    config.prediction.time = options.prediction;
    auto group = MultiPonder::create(std::move(config));
    if (!group) return group.error();
    for (const auto& [name, value] : exact_clock)
        if (const auto set = (*group)->options().set(name, value); !set) return set.error();
    return std::make_unique<GroupContestant>(*std::move(group));
}

arena::EngineSpec plain_engine(const MultiponderOptions& options) {
    arena::EngineSpec engine;
    engine.name = "threads";
    engine.options.assign(exact_clock.begin(), exact_clock.end());
    engine.options.insert(engine.options.end(), {{"USI_Hash", std::to_string(options.mebibytes)},
                                                 {"Threads", std::to_string(options.threads)},
                                                 {"EvalFile", options.net}});
    engine.ponder = true;
    return engine;
}

// Plays one game; nothing when it was interrupted.
Result<std::optional<Played>> play(std::uint64_t number, const arena::Opening& opening,
                                   const MultiponderOptions& options, const std::stop_token& stop) {
    arena::PlaySettings settings;
    settings.time_margin = late_answers;
    settings.adjudication = usual_adjudication();
    auto group = make_group(options);
    if (!group) return group.error();
    arena::OwnContestant plain(plain_engine(options), settings.rules);
    arena::Allowance allowance;
    allowance.byoyomi = options.byoyomi;
    for (arena::Contestant* each : std::array<arena::Contestant*, 2>{group->get(), &plain})
        if (const auto ready = each->new_game({}); !ready) return ready.error();
    const bool group_is_black = number % 2 == 0;
    const arena::Seat ours{**group, allowance, true};
    const arena::Seat theirs{plain, allowance, true};
    const std::array<arena::Seat, 2> seats{group_is_black ? ours : theirs, group_is_black ? theirs : ours};
    const arena::PlayedGame game = arena::play_game(opening, seats, settings, stop);
    if (game.verdict.reason == arena::Reason::interrupted) return std::optional<Played>();
    const auto color = group_is_black ? shogi::Color::black : shogi::Color::white;
    Played played{number, game.verdict.half_points(color), std::string(arena::name(game.verdict.reason)),
                  game.moves.size(), (*group)->statistic()};
    const bool is_fault = arena::is_failure(game.verdict.reason) || game.verdict.reason == arena::Reason::time ||
                          game.verdict.reason == arena::Reason::illegal_move;
    if (is_fault) played.ending += played.half_points == 0 ? " of the group" : " of the engine";
    return std::optional<Played>(std::move(played));
}

struct Summary {
    report::WinDrawLoss games;
    report::Pentanomial pairs;
    PonderStatistic statistic;
    std::map<std::string, std::uint64_t> endings;
    std::size_t plies = 0;
};

Summary sum_up(const std::vector<Played>& games) {
    Summary summary;
    std::vector<std::array<int, 2>> pairs;  // half points and games
    for (const Played& each : games) {
        summary.statistic.add(each.statistic);
        ++summary.endings[each.ending];
        summary.plies += each.plies;
        if (each.half_points == 2) ++summary.games.wins;
        if (each.half_points == 1) ++summary.games.draws;
        if (each.half_points == 0) ++summary.games.losses;
        if (pairs.size() <= each.number / 2) pairs.resize(each.number / 2 + 1);
        pairs[each.number / 2][0] += each.half_points;
        ++pairs[each.number / 2][1];
    }
    for (const auto& [half_points, count] : pairs)
        if (count == 2) ++summary.pairs.pairs[static_cast<std::size_t>(half_points)];
    return summary;
}

std::vector<NamedTable> tables_of(const Summary& summary) {
    report::Table guesses({"rank", "hits", "share %", "up to this rank %"});
    for (std::size_t i = 0; i < summary.statistic.hits.size(); ++i)
        guesses.add({static_cast<std::int64_t>(i + 1), summary.statistic.hits[i],
                     report::Cell(100 * (summary.statistic.hit_rate(i + 1) - summary.statistic.hit_rate(i)), 1),
                     report::Cell(100 * summary.statistic.hit_rate(i + 1), 1)});
    guesses.add(
        {"not guessed", summary.statistic.misses, report::Cell(100 * (1 - summary.statistic.hit_rate(100)), 1)});
    report::Table score({"games", "wins", "draws", "losses", "Elo", "low", "high", "seconds gained a game"});
    const auto& games = summary.games;
    std::vector<report::Cell> row{games.games(), games.wins, games.draws, games.losses};
    const double gained = std::chrono::duration<double>(summary.statistic.gained).count();
    if (games.games() > 0) {
        const auto elo = summary.pairs.count() > 0 ? report::estimate_elo(summary.pairs) : report::estimate_elo(games);
        row.insert(row.end(), {report::Cell(elo.elo, 0), report::Cell(elo.elo_interval.low, 0),
                               report::Cell(elo.elo_interval.high, 0),
                               report::Cell(gained / static_cast<double>(games.games()), 1)});
    }
    score.add(std::move(row));
    report::Table endings({"ending", "games"});
    for (const auto& [ending, count] : summary.endings)
        endings.add({ending, count});
    endings.add({"moves a game", report::Cell(static_cast<double>(summary.plies) /
                                                  static_cast<double>(std::max<std::uint64_t>(games.games(), 1)),
                                              0)});
    return {{"guesses", "Which guess the opponent's reply was", std::move(guesses)},
            {"score", "The group against one engine", std::move(score)},
            {"endings", "How the games ended", std::move(endings)}};
}

}  // namespace

Result<void> run_multiponder(const MultiponderOptions& options, std::ostream& out, const std::stop_token& stop) {
    arena::OpeningSuite openings;
    if (!options.openings.empty()) {
        auto loaded = arena::OpeningSuite::load(options.openings);
        if (!loaded) return loaded.error();
        openings = *std::move(loaded);
    }
    auto log = Log::open(options);
    if (!log) return log.error();
    {
        base::Progress progress("games", options.games, log->games().size());
        for (std::uint64_t number = 0; number < options.games && !stop.stop_requested(); ++number) {
            if (log->has(number)) continue;
            const auto played = play(number, openings.at(number / 2), options, stop);
            if (!played) return played.error();
            if (!*played) break;
            if (const auto added = log->add(**played); !added) return added;
            progress.note(sum_up(log->games()).statistic.summary());
            progress.add();
        }
    }
    const auto tables = tables_of(sum_up(log->games()));
    print(out, tables);
    if (options.output.empty()) return {};
    return write_output(options.output, "multiponder", facts_of(options), tables);
}

}  // namespace tsumugi::experiment
