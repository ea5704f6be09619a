// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/lineage.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arena/match.hpp"
#include "base/atomic_file.hpp"
#include "base/clock.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "eval/net.hpp"
#include "learn/data/branch.hpp"
#include "learn/data/filter.hpp"
#include "learn/data/foresight.hpp"
#include "learn/data/relabel.hpp"
#include "learn/selfplay.hpp"
#include "record/archive.hpp"

namespace tsumugi::learn {
namespace {

using base::Error;
using base::Result;
using nlohmann::ordered_json;

// Matches begin with the first moves of games of the first generation, where neither side was far ahead.
constexpr std::size_t opening_plies = 16;
constexpr int most_unbalanced = 150;

constexpr int match_table_mib = 16;
constexpr int beside_table_mib = 1;  // emptied often, and the searches are short

// How a net learns to count: from positions some random moves beside the games, a few times.
constexpr const char* counting = "material";
constexpr int counted_moves = 3;
constexpr std::uint64_t counting_epochs = 2;

Result<std::string> hash_of(const std::filesystem::path& file) {
    const auto bytes = base::read_file(file);
    if (!bytes) return bytes.error();
    return base::sha256_hex(*bytes);
}

// What an evaluation that is not of the lineage is called in tables and folders.
std::string name_of(const std::string& evaluation) { return std::filesystem::path(evaluation).filename().string(); }

// The opening of a game, when it is fit for a match.
std::optional<arena::Opening> opening_of(const record::ArchivedGame& game) {
    if (game.plies.size() <= opening_plies) return std::nullopt;
    const record::ArchivedPly& next = game.plies[opening_plies];
    if (!next.has_score() || std::abs(next.score) > most_unbalanced) return std::nullopt;
    arena::Opening opening;
    opening.start = game.start;
    for (std::size_t i = 0; i < opening_plies; ++i)
        opening.moves.push_back(game.plies[i].move);
    return opening;
}

arena::EngineSpec contestant(const std::string& name, const std::string& net, std::uint64_t nodes) {
    arena::EngineSpec spec;
    spec.name = name;
    spec.options = {{"USI_Hash", std::to_string(match_table_mib)}, {"EvalFile", net}};
    spec.allowance.nodes = nodes;
    return spec;
}

data::Monitor monitor(const Generation& next, const char* stage, LineageObserver& observer,
                      const std::stop_token& stop) {
    data::Monitor monitor;
    monitor.begin = [&observer, number = next.number, stage](std::uint64_t total, std::uint64_t already) {
        observer.on_stage(number, stage, total, already);
    };
    monitor.advance = [&observer](std::uint64_t done) { observer.on_progress(done, ""); };
    monitor.stop = stop;
    return monitor;
}

}  // namespace

Result<Lineage> Lineage::open(const LineageSettings& settings) {
    Lineage lineage(settings);
    std::error_code problem;
    std::filesystem::create_directories(settings.folder, problem);
    if (problem) return Error{Error::Code::io, fmt::format("{}: {}", settings.folder.string(), problem.message())};
    const auto history = settings.folder / "lineage.json";
    if (!std::filesystem::exists(history)) return lineage;
    const auto text = base::read_file(history);
    if (!text) return text.error();
    const auto json = ordered_json::parse(*text, nullptr, false);
    const auto broken = [&](const std::string& why) {
        return Error{Error::Code::syntax, fmt::format("{}: {}", history.string(), why)};
    };
    if (!json.is_object() || !json.contains("generations")) return broken("is no history of a lineage");
    if (json.value("start", "") != settings.start)
        return broken(fmt::format("this lineage started from '{}', not from '{}'; choose another folder",
                                  json.value("start", ""), settings.start));
    if (json.value("ancestor", "") != settings.ancestor)
        return broken(fmt::format("this lineage goes on from '{}', not from '{}'; choose another folder",
                                  json.value("ancestor", ""), settings.ancestor));
    for (const ordered_json& each : json["generations"]) {
        auto generation = Generation::from_json(each);
        if (!generation) return broken(generation.error().message);
        lineage.generations_.push_back(*std::move(generation));
    }
    return lineage;
}

std::filesystem::path Lineage::folder(std::uint64_t generation) const {
    return settings_.folder / fmt::format("{:03}", generation);
}
std::filesystem::path Lineage::net(std::uint64_t generation) const { return folder(generation) / "train" / "nn.bin"; }
std::filesystem::path Lineage::archive(std::uint64_t generation) const { return folder(generation) / "games.tsa"; }

std::filesystem::path Lineage::foreseen(std::uint64_t generation) const { return folder(generation) / "foreseen.tsa"; }
std::filesystem::path Lineage::quiet_games(std::uint64_t generation) const { return folder(generation) / "quiet.tsa"; }
std::filesystem::path Lineage::beside(std::uint64_t generation) const { return folder(generation) / "beside.psv"; }
std::filesystem::path Lineage::beside_unsearched(std::uint64_t generation) const {
    return folder(generation) / "beside-unsearched.psv";
}

const Generation* Lineage::player() const {
    const auto kept =
        std::find_if(generations_.rbegin(), generations_.rend(), [](const Generation& each) { return each.kept; });
    return kept == generations_.rend() ? nullptr : &*kept;
}

std::string Lineage::best_net() const {
    const Generation* best = player();
    return best == nullptr ? first_player() : net(best->number).string();
}

std::string Lineage::player_name() const {
    const Generation* best = player();
    return best == nullptr ? name_of(first_player()) : std::to_string(best->number);
}

Result<void> Lineage::run(LineageObserver& observer, const std::stop_token& stop) {
    while (settings_.generations == 0 || generations_.size() < settings_.generations) {
        Generation next;
        next.number = generations_.size() + 1;
        next.player = player_name();
        const base::Stopwatch watch;
        for (const auto stage :
             {&Lineage::generate, &Lineage::prepare, &Lineage::learn_to_count, &Lineage::train, &Lineage::judge}) {
            const auto finished = (this->*stage)(next, observer, stop);
            if (!finished) return finished.error();
            if (!*finished) return {};
        }
        next.seconds = watch.seconds();
        if (const auto done = finish(std::move(next), observer); !done) return done;
    }
    return {};
}

Result<bool> Lineage::generate(Generation& next, LineageObserver& observer, const std::stop_token& stop) const {
    std::error_code problem;
    std::filesystem::create_directories(folder(next.number), problem);
    if (problem) return Error{Error::Code::io, fmt::format("{}: {}", folder(next.number).string(), problem.message())};
    SelfplaySettings settings = settings_.selfplay;
    settings.archive = archive(next.number);
    settings.net = best_net();
    settings.seed = settings_.selfplay.seed + next.number;
    settings.workers = settings_.threads;
    auto selfplay = Selfplay::open(settings);
    if (!selfplay) return selfplay.error();
    const std::uint64_t before = (*selfplay)->before().plies;
    next.new_positions = before;
    if (before < settings.positions) {
        observer.on_stage(next.number, "positions", settings.positions, before);
        const auto done = (*selfplay)->run(
            [&](const record::ArchivedGame& game) { observer.on_progress(game.plies.size(), ""); }, stop);
        if (!done) return done.error();
        if (stop.stop_requested()) return false;
        next.new_positions += (*selfplay)->tally().plies;
    }
    if (std::filesystem::exists(openings())) return true;
    if (const auto chosen = choose_openings(); !chosen) return chosen.error();
    return true;
}

Result<void> Lineage::choose_openings() const {
    auto reader = record::ArchiveReader::open(archive(1));
    if (!reader) return reader.error();
    std::string text;
    std::uint64_t found = 0;
    record::ArchivedGame game;
    while (found < settings_.games) {
        const auto more = reader->next(game);
        if (!more) return more.error();
        if (!*more) break;
        if (const auto opening = opening_of(game)) {
            text += opening->text() + '\n';
            ++found;
        }
    }
    if (found == 0)
        return Error{Error::Code::range,
                     fmt::format("{}: no game has a balanced opening of {} plies; more positions are needed",
                                 archive(1).string(), opening_plies)};
    return base::write_file(openings(), text);
}

Result<bool> Lineage::prepare(Generation& next, LineageObserver& observer, const std::stop_token& stop) const {
    const bool foresees = settings_.foresight > 0;
    if (foresees && !std::filesystem::exists(foreseen(next.number))) {
        data::ForesightSettings settings;
        settings.inputs = {archive(next.number)};
        settings.output = foreseen(next.number);
        settings.decay = settings_.foresight;
        settings.score_scale = settings_.train.loss.score_scale;
        const auto done = data::foresee(settings, monitor(next, "bytes foreseen", observer, stop));
        if (stop.stop_requested()) return false;
        if (!done) return done.error();
    }
    if (!std::filesystem::exists(quiet_games(next.number))) {
        data::FilterSettings settings;
        settings.inputs = {foresees ? foreseen(next.number) : archive(next.number)};
        settings.output = quiet_games(next.number);
        settings.rules.quiet_margin = settings_.quiet_margin;
        settings.net = best_net();
        settings.workers = settings_.threads;
        const auto done = data::filter(settings, monitor(next, "bytes sifted", observer, stop));
        if (stop.stop_requested()) return false;
        if (!done) return done.error();
    }
    if (settings_.beside == 0 || std::filesystem::exists(beside(next.number))) return true;
    return make_positions_beside(next, observer, stop);
}

Result<bool> Lineage::make_positions_beside(const Generation& next, LineageObserver& observer,
                                            const std::stop_token& stop) const {
    const bool searches = settings_.beside_nodes > 0;
    const auto branched = searches ? beside_unsearched(next.number) : beside(next.number);
    if (!std::filesystem::exists(branched)) {
        data::BranchSettings settings;
        settings.inputs = {archive(next.number)};
        settings.output = branched;
        settings.count = settings_.beside;
        settings.moves = 2;
        settings.net = best_net();
        settings.seed = settings_.selfplay.seed + next.number;
        settings.workers = settings_.threads;
        const auto done = data::branch(settings, monitor(next, "bytes branched", observer, stop));
        if (stop.stop_requested()) return false;
        if (!done) return done.error();
    }
    if (!searches) return true;
    data::RelabelSettings settings;
    settings.input = branched;
    settings.output = beside(next.number);
    settings.net = best_net();
    settings.nodes = settings_.beside_nodes;
    settings.table_mib = beside_table_mib;
    settings.workers = settings_.threads;
    const auto done = data::relabel(settings, monitor(next, "positions searched", observer, stop));
    if (!done) return done.error();
    return done->finished;
}

Result<std::optional<EpochReport>> Lineage::run_training(const TrainSettings& settings, const SampleSet& samples,
                                                         const Generation& next, const std::string& stage,
                                                         LineageObserver& observer, const std::stop_token& stop) const {
    auto run = TrainingRun::open(settings, samples);
    if (!run) return run.error();
    if (!(*run)->finished()) {
        observer.on_stage(next.number, stage, (*run)->positions_total(), (*run)->positions_done());
        TrainObserver watch;
        watch.on_batch = [&](std::size_t positions, double loss) {
            observer.on_progress(positions, fmt::format("loss {:.5f}", loss / static_cast<double>(positions)));
        };
        if (const auto done = (*run)->run(watch, stop); !done) return done.error();
        if (!(*run)->finished()) return std::optional<EpochReport>();
    }
    return std::optional((*run)->epochs().back());
}

Result<bool> Lineage::learn_to_count(Generation& next, LineageObserver& observer, const std::stop_token& stop) const {
    const auto positions = counter() / "positions.psv";
    if (!settings_.inherits || best_net() != counting || std::filesystem::exists(counter() / "nn.bin")) return true;
    std::error_code problem;
    std::filesystem::create_directories(counter(), problem);
    if (problem) return Error{Error::Code::io, fmt::format("{}: {}", counter().string(), problem.message())};
    if (!std::filesystem::exists(positions)) {
        data::BranchSettings settings;
        settings.inputs = {archive(next.number)};
        settings.output = positions;
        settings.count = 1;
        settings.moves = counted_moves;
        settings.net = counting;
        settings.seed = settings_.selfplay.seed;
        settings.workers = settings_.threads;
        const auto done = data::branch(settings, monitor(next, "bytes branched", observer, stop));
        if (stop.stop_requested()) return false;
        if (!done) return done.error();
    }
    const auto samples = load_samples({positions}, settings_.filter, settings_.threads, [](std::uint64_t) {});
    if (!samples) return samples.error();
    TrainSettings settings = settings_.train;
    settings.folder = counter() / "train";
    settings.threads = settings_.threads;
    settings.epochs = counting_epochs;
    const auto learned = run_training(settings, *samples, next, "counted", observer, stop);
    if (!learned) return learned.error();
    if (!*learned) return false;
    std::filesystem::rename(counter() / "train" / "nn.bin", counter() / "nn.bin", problem);
    if (problem) return Error{Error::Code::io, fmt::format("{}: {}", counter().string(), problem.message())};
    return true;
}

Result<bool> Lineage::train(Generation& next, LineageObserver& observer, const std::stop_token& stop) const {
    std::vector<std::filesystem::path> files;
    const std::uint64_t first = next.number > settings_.remembered ? next.number - settings_.remembered + 1 : 1;
    for (std::uint64_t each = first; each <= next.number; ++each) {
        files.push_back(quiet_games(each));
        if (settings_.beside > 0) files.push_back(beside(each));
    }
    const auto samples = load_samples(files, settings_.filter, settings_.threads, [](std::uint64_t) {});
    if (!samples) return samples.error();
    TrainSettings settings = settings_.train;
    settings.folder = folder(next.number) / "train";
    settings.seed = settings_.train.seed + next.number;
    settings.threads = settings_.threads;
    if (settings_.inherits) {
        if (best_net() == counting)
            settings.init = counter() / "nn.bin";
        else if (best_net() != settings_.start)
            settings.init = best_net();
    }
    if (!settings.init.empty()) settings.schedule.rate = settings_.heir_rate;
    const auto learned = run_training(settings, *samples, next, "learned", observer, stop);
    if (!learned) return learned.error();
    if (!*learned) return false;
    next.learned_positions = samples->training.size();
    next.validation_loss = (*learned)->validation_loss;
    next.accuracy = (*learned)->accuracy;
    auto hash = hash_of(net(next.number));
    if (!hash) return hash.error();
    next.net_sha256 = *std::move(hash);
    return true;
}

Result<std::optional<MatchResult>> Lineage::play(const Generation& next, const std::string& opponent,
                                                 const std::string& net, LineageObserver& observer,
                                                 const std::stop_token& stop) const {
    const std::string name = std::to_string(next.number);
    arena::MatchConfig config;
    config.engines = {contestant(name, this->net(next.number).string(), settings_.match_nodes),
                      contestant(opponent, net, settings_.match_nodes)};
    config.games = settings_.games;
    config.openings.file = openings();
    config.pool.concurrency = settings_.threads;
    config.pool.play.rules.max_moves = settings_.selfplay.end.max_moves;
    config.folder = folder(next.number) / fmt::format("match-{}", opponent);
    auto match = arena::Match::open(config);
    if (!match) return match.error();
    if (!(*match)->complete()) {
        observer.on_stage(next.number, fmt::format("games against {}", opponent), (*match)->games(),
                          (*match)->standing().games());
        (*match)->on_game([&](const arena::StoredGame&, const arena::Standing& standing) {
            observer.on_progress(1, standing.summary());
        });
        if (const auto done = (*match)->run(stop); !done) return done.error();
        if (!(*match)->complete()) return std::optional<MatchResult>();
    }
    const arena::ScoreSheet& sheet = (*match)->standing().sheets().begin()->second;
    return std::optional(MatchResult{sheet.total(), report::estimate_elo(*sheet.sample())});
}

Result<bool> Lineage::judge(Generation& next, LineageObserver& observer, const std::stop_token& stop) const {
    const auto result = play(next, next.player, best_net(), observer, stop);
    if (!result) return result.error();
    if (!*result) return false;
    next.against_player = **result;
    next.kept = next.against_player.estimate.score > 0.5;
    if (best_net() == settings_.start) return true;
    const auto against_start = play(next, name_of(settings_.start), settings_.start, observer, stop);
    if (!against_start) return against_start.error();
    next.against_start = *against_start;
    return next.against_start.has_value();
}

Result<void> Lineage::finish(Generation next, LineageObserver& observer) {
    generations_.push_back(std::move(next));
    ordered_json json{{"start", settings_.start}, {"ancestor", settings_.ancestor}};
    json["generations"] = ordered_json::array();
    for (const Generation& each : generations_)
        json["generations"].push_back(each.to_json());
    if (const auto written = base::write_file(settings_.folder / "lineage.json", json.dump(2) + "\n"); !written)
        return written;
    if (const auto written = base::write_file(settings_.folder / "lineage.html", to_html()); !written) return written;
    observer.on_generation(generations_.back());
    return {};
}

}  // namespace tsumugi::learn
