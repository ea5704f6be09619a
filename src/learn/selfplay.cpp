// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/selfplay.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "eval/net.hpp"
#include "learn/net_identity.hpp"

namespace tsumugi::learn {
namespace {

using base::Error;
using base::Result;
using nlohmann::ordered_json;

// A crash costs no more than the games of this many seconds.
constexpr double flush_seconds = 60;

std::string_view name_of(TableSharing sharing) {
    switch (sharing) {
        case TableSharing::shared: return "shared";
        case TableSharing::each: return "each";
        case TableSharing::cleared: return "cleared";
    }
    return {};
}

}  // namespace

Result<std::string> selfplay_provenance(const SelfplaySettings& settings, const std::string& evaluation,
                                        std::uint64_t first_number) {
    const auto net = net_identity(settings.net);
    if (!net) return net.error();
    const OpeningRecipe& opening = settings.opening;
    const EndRecipe& end = settings.end;
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return ordered_json{{"program", "tsumugi selfplay"},
                        {"began", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))},
                        {"evaluation", evaluation},
                        {"net_sha256", *net},
                        {"seed", settings.seed},
                        {"first_game", first_number},
                        {"nodes", settings.nodes},
                        {"most_nodes", settings.hard_nodes()},
                        {"table_mib", settings.table_mib},
                        {"table", name_of(settings.sharing)},
                        {"opening",
                         {{"random_plies", {opening.fewest_random_plies, opening.most_random_plies}},
                          {"late_random_share", opening.late_random_share},
                          {"sampled_plies", opening.sampled_plies},
                          {"sampled_lines", opening.sampled_lines},
                          {"sampled_margin", opening.sampled_margin},
                          {"most_unbalanced", opening.most_unbalanced},
                          {"entering_king_share", opening.entering_king_share},
                          {"suite", std::filesystem::path(opening.suite).filename().string()}}},
                        {"end",
                         {{"score", end.score},
                          {"plies", end.plies},
                          {"played_out_share", end.played_out_share},
                          {"max_moves", end.max_moves}}}}
        .dump();
}

Result<ArchiveSummary> ArchiveSummary::of(const std::filesystem::path& archive) {
    auto reader = record::ArchiveReader::open(archive);
    if (!reader) return reader.error();
    ArchiveSummary summary;
    for (std::vector<record::ArchivedHead> heads;;) {
        const auto more = reader->next_heads(heads);
        if (!more) return more.error().in(archive.string());
        if (!*more) break;
        for (const record::ArchivedHead& head : heads) {
            ++summary.games;
            summary.plies += head.plies;
            summary.next_number = std::max(summary.next_number, head.number + 1);
        }
    }
    std::error_code problem;
    summary.bytes = std::filesystem::file_size(archive, problem);
    return summary;
}

Result<std::unique_ptr<Selfplay>> Selfplay::open(const SelfplaySettings& settings) {
    auto evaluator = eval::choose_evaluator(settings.net, {.fv_scale = settings.fv_scale, .feature = {}});
    if (!evaluator) return evaluator.error();
    arena::OpeningSuite suite;
    if (!settings.opening.suite.empty()) {
        auto loaded = arena::OpeningSuite::load(settings.opening.suite, settings.opening.suite_plies);
        if (!loaded) return loaded.error();
        suite = *std::move(loaded);
    }
    auto writer = record::ArchiveWriter::open(settings.archive);
    if (!writer) return writer.error();
    const auto before = ArchiveSummary::of(settings.archive);
    if (!before) return before.error();

    std::unique_ptr<Selfplay> selfplay(new Selfplay(settings, *std::move(writer)));
    selfplay->evaluator_ = *std::move(evaluator);
    selfplay->suite_ = std::move(suite);
    selfplay->before_ = *before;
    selfplay->next_number_ = before->next_number;
    selfplay->positions_ = before->plies;
    auto provenance = selfplay_provenance(settings, selfplay->evaluation(), before->next_number);
    if (!provenance) return provenance.error();
    selfplay->provenance_ = *std::move(provenance);
    return selfplay;
}

bool Selfplay::take_number(std::uint64_t& number) {
    const std::lock_guard lock(mutex_);
    if (positions_ >= settings_.positions || !problem_) return false;
    number = next_number_++;
    return true;
}

Result<void> Selfplay::store(const record::ArchivedGame& game) {
    if (const auto added = writer_.add(game); !added) return added;
    if (writer_.pending_games() == 0) since_flush_.restart();
    if (since_flush_.seconds() < flush_seconds) return {};
    since_flush_.restart();
    return writer_.flush();
}

void Selfplay::work(SelfplayPlayer& player, const OnGame& on_game, const std::stop_token& stop) {
    for (std::uint64_t number = 0; !stop.stop_requested() && take_number(number);) {
        const auto game = player.play(number, stop);
        if (!game) continue;
        const std::lock_guard lock(mutex_);
        if (!problem_) return;
        problem_ = store(*game);
        positions_ += game->plies.size();
        on_game(*game);
    }
}

Result<void> Selfplay::run(const OnGame& on_game, std::stop_token stop) {
    if (positions_ >= settings_.positions) return {};
    if (const auto noted = writer_.add_provenance(provenance_); !noted) return noted;
    const base::Stopwatch watch;
    std::vector<std::unique_ptr<SelfplayPlayer>> players;
    for (int i = 0; i < std::max(settings_.workers, 1); ++i)
        players.push_back(std::make_unique<SelfplayPlayer>(settings_, evaluator_, suite_, footprints_));
    {
        std::vector<std::jthread> threads;
        for (const auto& player : players)
            threads.emplace_back([this, &player, &on_game, &stop] { work(*player, on_game, stop); });
    }
    for (const auto& player : players)
        tally_.add(player->tally());
    seconds_ = watch.seconds();
    if (!problem_) return problem_;
    return writer_.flush();
}

}  // namespace tsumugi::learn
