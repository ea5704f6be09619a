// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/consultation/line_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tsumugi::experiment::consultation {
namespace {

using base::Result;

arena::EngineSpec player_of(const Setting& setting, const Entrant& entrant, int number) {
    arena::EngineSpec player;
    player.name = entrant.name();
    player.options = {{"EvalFile", setting.net}};
    if (!setting.shares_tables || entrant.players == 1)
        player.options.emplace_back("HashKiB", std::to_string(setting.hash_kib));
    if (entrant.sigma > 0) {
        const auto sigma = std::max(std::lround(entrant.sigma * setting.pawn_exchange), 1L);
        player.options.emplace_back("EvalNoiseSigma", std::to_string(sigma));
        player.options.emplace_back("EvalNoiseSeed", std::to_string(number));
    }
    player.allowance = entrant.allowance;
    return player;
}

Result<arena::EngineSpec> contestant_of(const Setting& setting, const Entrant& entrant) {
    if (entrant.players == 1) return player_of(setting, entrant, 1);
    return council_player(entrant.name(), council_of(setting, entrant));
}

}  // namespace

arena::Allowance so_many_nodes(std::uint64_t nodes) {
    arena::Allowance allowance;
    allowance.nodes = nodes;
    return allowance;
}

arena::Allowance so_deep(int depth) {
    arena::Allowance allowance;
    allowance.depth = depth;
    return allowance;
}

std::string fraction(double share) {
    const double parts = 1 / share;
    if (share < 1 && std::abs(parts - std::round(parts)) < 1e-9) return fmt::format("1/{}", std::lround(parts));
    return fmt::format("{:g}", share);
}

std::string Entrant::name() const {
    if (is_plain()) return fmt::format("plain, {}", allowance.describe());
    return fmt::format("{} x {}, {}", players, fraction(sigma), allowance.describe());
}

CouncilConfig council_of(const Setting& setting, const Entrant& entrant) {
    CouncilConfig council;
    council.seed = setting.seed;
    if (setting.shares_tables) council.shared_kib = setting.hash_kib * static_cast<std::size_t>(entrant.players);
    for (int number = 1; number <= entrant.players; ++number)
        council.members.push_back(player_of(setting, entrant, number));
    return council;
}

Result<PlannedMatch> plan_of(const Setting& setting, const Contest& contest) {
    PlannedMatch plan;
    plan.label = contest.key;
    arena::MatchConfig& config = plan.config;
    for (const Entrant& entrant : contest.entrants) {
        auto engine = contestant_of(setting, entrant);
        if (!engine) return engine.error();
        config.engines.push_back(*std::move(engine));
    }
    config.tournament = arena::Tournament::gauntlet;
    config.games = setting.games;
    config.openings.file = setting.openings;
    config.pool.concurrency = setting.concurrency;
    config.pool.play.adjudication = usual_adjudication();
    if (!setting.folder.empty()) config.folder = setting.folder / contest.key;
    return plan;
}

Contest majority_contest(const Grid& grid) {
    const auto allowance = so_many_nodes(grid.nodes);
    Contest contest{fmt::format("majority-{}", grid.nodes),
                    fmt::format("Majority against the plain engine, {} nodes a player", grid.nodes),
                    {{1, 0, allowance}}};
    for (const double sigma : grid.sigmas)
        for (const int players : grid.players)
            contest.entrants.push_back({players, sigma, allowance});
    return contest;
}

std::vector<Contest> depth_contests(const Grid& grid, const std::vector<int>& depths) {
    const int most = *std::max_element(grid.players.begin(), grid.players.end());
    std::vector<int> sizes{1};
    if (most > 1) sizes.push_back(most);
    std::vector<Contest> contests;
    for (const int depth : depths) {
        const auto allowance = so_deep(depth);
        Contest contest{
            fmt::format("depth-{}", depth),
            fmt::format("{} against the plain engine, all at depth {}",
                        most > 1 ? fmt::format("One noisy player and {}", most) : "One noisy player", depth),
            {{1, 0, allowance}}};
        for (const int players : sizes)
            for (const double sigma : grid.sigmas)
                contest.entrants.push_back({players, sigma, allowance});
        contests.push_back(std::move(contest));
    }
    return contests;
}

Contest resource_contest(const Grid& grid, double sigma) {
    Contest contest{fmt::format("resources-{}", grid.nodes),
                    fmt::format("What more nodes are worth, against the plain engine with {} nodes", grid.nodes),
                    {{1, 0, so_many_nodes(grid.nodes)}}};
    for (const int players : grid.players) {
        if (players == 1) continue;
        const auto root = static_cast<double>(grid.nodes) * std::sqrt(players);
        contest.entrants.push_back({players, sigma, so_many_nodes(grid.nodes)});
        contest.entrants.push_back({1, 0, so_many_nodes(grid.nodes * static_cast<std::uint64_t>(players))});
        contest.entrants.push_back({1, 0, so_many_nodes(static_cast<std::uint64_t>(std::llround(root)))});
    }
    // The square root of one number of players may be another one.
    std::vector<Entrant> different;
    for (const Entrant& entrant : contest.entrants)
        if (std::none_of(different.begin(), different.end(),
                         [&](const Entrant& each) { return each.name() == entrant.name(); }))
            different.push_back(entrant);
    contest.entrants = std::move(different);
    return contest;
}

}  // namespace tsumugi::experiment::consultation
