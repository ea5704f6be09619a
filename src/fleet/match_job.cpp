// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet/match_job.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arena/game_text.hpp"
#include "base/text.hpp"
#include "record/usi_game.hpp"

namespace tsumugi::fleet {
namespace {

using base::Error;
using base::Result;
using nlohmann::json;

json to_json(const arena::EngineSpec& engine) {
    return {{"name", engine.name},
            {"command", engine.command},
            {"options", engine.options},
            {"parameters", engine.parameters},
            {"limits", engine.allowance.describe()},
            {"ponder", engine.ponder}};
}

arena::EngineSpec engine_from(const json& value) {
    arena::EngineSpec engine;
    engine.name = value.at("name").get<std::string>();
    engine.command = value.at("command").get<std::vector<std::string>>();
    engine.options = value.at("options").get<arena::OptionValues>();
    engine.parameters = value.at("parameters").get<arena::OptionValues>();
    engine.ponder = value.at("ponder").get<bool>();
    const auto limits = value.at("limits").get<std::string>();
    for (const std::string_view word : base::split_words(limits))
        if (const auto set = engine.set(word); !set) throw std::invalid_argument(set.error().message);
    return engine;
}

json to_json(const arena::PoolSettings& settings) {
    const arena::PlaySettings& play = settings.play;
    const arena::AdjudicationSettings& early = play.adjudication;
    json value{{"declaration", arena::name(play.rules.declaration)},
               {"max_moves", play.rules.max_moves},
               {"time_margin_ms", play.time_margin.count()},
               {"longest_think_ms", play.longest_think.count()},
               {"stop_patience_ms", play.stop_patience.count()},
               {"replay", settings.on_failure == arena::FailurePolicy::replay},
               {"replays", settings.replays}};
    if (early.resign) value["resign"] = {early.resign->centipawns, early.resign->moves};
    if (early.draw) value["draw"] = {early.draw->centipawns, early.draw->moves, early.draw->from_move};
    if (early.mate) value["mate"] = early.mate->moves;
    return value;
}

arena::PoolSettings settings_from(const json& value) {
    arena::PoolSettings settings;
    arena::PlaySettings& play = settings.play;
    const auto rule = arena::parse_declaration_rule(value.at("declaration").get<std::string>());
    if (!rule) throw std::invalid_argument(rule.error().message);
    play.rules = {*rule, value.at("max_moves").get<int>()};
    const auto time = [&](const char* name) { return arena::Milliseconds(value.at(name).get<std::int64_t>()); };
    play.time_margin = time("time_margin_ms");
    play.longest_think = time("longest_think_ms");
    play.stop_patience = time("stop_patience_ms");
    settings.on_failure = value.at("replay").get<bool>() ? arena::FailurePolicy::replay : arena::FailurePolicy::loss;
    settings.replays = value.at("replays").get<int>();
    arena::AdjudicationSettings& early = play.adjudication;
    if (const auto found = value.find("resign"); found != value.end())
        early.resign = {found->at(0).get<int>(), found->at(1).get<int>()};
    if (const auto found = value.find("draw"); found != value.end())
        early.draw = {found->at(0).get<int>(), found->at(1).get<int>(), found->at(2).get<int>()};
    if (const auto found = value.find("mate"); found != value.end()) early.mate = {found->get<int>()};
    return settings;
}

arena::Opening opening_from(const json& value) {
    const auto game = record::parse_usi_game(value.get<std::string>());
    if (!game) throw std::invalid_argument(game.error().message);
    return {game->start, game->main_moves()};
}

json to_json(const std::vector<MatchJobResult::Game>& games) {
    json list = json::array();
    for (const MatchJobResult::Game& each : games)
        list.push_back({{"number", each.number},
                        {"opening", each.game.opening.text()},
                        {"moves", arena::move_text(each.game.moves)},
                        {"thoughts", arena::thought_text(each.game.moves)},
                        {"black_half_points", each.game.verdict.half_points(shogi::Color::black)},
                        {"reason", arena::name(each.game.verdict.reason)},
                        {"detail", each.game.verdict.detail}});
    return list;
}

MatchJobResult::Game game_from(const json& value) {
    MatchJobResult::Game result;
    result.number = value.at("number").get<std::uint64_t>();
    result.game.opening = opening_from(value.at("opening"));
    result.game.moves =
        arena::parse_moves(value.at("moves").get<std::string>(), value.at("thoughts").get<std::string>());
    const auto reason = arena::find_reason(value.at("reason").get<std::string>());
    if (!reason) throw std::invalid_argument(reason.error().message);
    result.game.verdict.reason = *reason;
    result.game.verdict.detail = value.at("detail").get<std::string>();
    const int points = value.at("black_half_points").get<int>();
    if (points == 2) result.game.verdict.winner = shogi::Color::black;
    if (points == 0) result.game.verdict.winner = shogi::Color::white;
    shogi::Position position = result.game.opening.position();
    for (const arena::PlayedMove& move : result.game.moves) {
        if (!position.is_legal(move.move)) throw std::invalid_argument("a game with an illegal move");
        position.do_move(move.move);
    }
    return result;
}

std::vector<MatchJobResult::Game> games_from(const json& list) {
    std::vector<MatchJobResult::Game> games;
    for (const json& each : list)
        games.push_back(game_from(each));
    return games;
}

// Whatever is wrong with a text from elsewhere becomes one error.
template <typename Read>
auto parse_with(std::string_view text, const char* what, Read&& read) -> Result<decltype(read(json()))> {
    try {
        return read(json::parse(text));
    } catch (const std::exception& problem) {
        return Error{Error::Code::syntax, fmt::format("{} that cannot be read: {}", what, problem.what())};
    }
}

// Hands out the games of one job and keeps what comes back.
class JobGames : public arena::TaskSource {
public:
    explicit JobGames(std::vector<arena::Task> tasks) : tasks_(std::move(tasks)) {}

    std::optional<arena::Task> next() override {
        if (next_ == tasks_.size()) return std::nullopt;
        return tasks_[next_++];
    }
    Result<void> finished(const arena::Task& task, const arena::PlayedGame& game) override {
        result.games.push_back({task.number, game});
        return {};
    }
    Result<void> annulled(const arena::Task& task, const arena::PlayedGame& game) override {
        result.annulled.push_back({task.number, game});
        return {};
    }

    MatchJobResult result;

private:
    std::vector<arena::Task> tasks_;
    std::size_t next_ = 0;
};

// Puts this host's program in the place of the name that the job gives.
Result<void> localize(arena::EngineSpec& engine, const std::vector<OfferedEngine>& offered, const NetFiles& nets) {
    for (auto& [name, value] : engine.options) {
        const auto allowed = filter_usi(fmt::format("setoption name {} value {}", name, value), nets);
        if (!allowed) return allowed.error();
        if (value.starts_with(net_prefix)) value = nets.at(value.substr(net_prefix.size()));
    }
    engine.folder.clear();
    if (engine.is_own()) return {};
    const auto found = std::find_if(offered.begin(), offered.end(),
                                    [&](const OfferedEngine& each) { return each.name == engine.cluster_name(); });
    if (engine.cluster_name().empty() || found == offered.end())
        return Error{Error::Code::unsupported, fmt::format("there is no engine '{}' here", engine.cluster_name())};
    engine.command = found->command;
    engine.folder = found->folder;
    return {};
}

}  // namespace

std::string MatchJob::to_text() const {
    json list = json::array();
    for (const arena::EngineSpec& engine : engines)
        list.push_back(to_json(engine));
    json games = json::array();
    for (const arena::Task& task : tasks)
        games.push_back({{"number", task.number}, {"engine", task.engine}, {"opening", task.opening.text()}});
    return json{{"engines", list}, {"settings", to_json(settings)}, {"games", games}}.dump();
}

Result<MatchJob> MatchJob::parse(std::string_view text) {
    return parse_with(text, "a match job", [](const json& value) {
        MatchJob job;
        for (const json& each : value.at("engines"))
            job.engines.push_back(engine_from(each));
        job.settings = settings_from(value.at("settings"));
        for (const json& each : value.at("games")) {
            arena::Task task;
            task.number = each.at("number").get<std::uint64_t>();
            task.engine = each.at("engine").get<std::array<std::size_t, 2>>();
            task.opening = opening_from(each.at("opening"));
            if (std::max(task.engine[0], task.engine[1]) >= job.engines.size())
                throw std::invalid_argument("a game of an engine that is not there");
            job.tasks.push_back(std::move(task));
        }
        return job;
    });
}

std::string MatchJobResult::to_text() const {
    return json{{"games", to_json(games)}, {"annulled", to_json(annulled)}}.dump();
}

Result<MatchJobResult> MatchJobResult::parse(std::string_view text) {
    return parse_with(text, "games", [](const json& value) {
        return MatchJobResult{games_from(value.at("games")), games_from(value.at("annulled"))};
    });
}

Result<MatchJobResult> play(MatchJob job, const std::vector<OfferedEngine>& engines, const NetFiles& nets,
                            const std::stop_token& stop) {
    for (arena::EngineSpec& engine : job.engines)
        if (const auto ready = localize(engine, engines, nets); !ready) return ready.error();
    job.settings.concurrency = 1;
    const std::size_t wanted = job.tasks.size();
    JobGames source(std::move(job.tasks));
    if (const auto played = arena::play_all(source, job.engines, job.settings, stop); !played) return played.error();
    if (source.result.games.size() < wanted) return Error{Error::Code::io, "interrupted"};
    return source.result;
}

}  // namespace tsumugi::fleet
