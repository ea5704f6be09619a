// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/consultation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "arena/match.hpp"
#include "eval/material.hpp"
#include "experiment/consultation/line_up.hpp"
#include "experiment/consultation/majority_curve.hpp"
#include "experiment/consultation/mixed_study.hpp"
#include "experiment/consultation/vote_study.hpp"
#include "experiment/council.hpp"
#include "experiment/two_then_third.hpp"
#include "experiment/two_then_third/agreement.hpp"
#include "own_games.hpp"
#include "support/data.hpp"
#include "support/progress.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::experiment::consultation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Setting quick_setting(const std::filesystem::path& folder) {
    std::ofstream(folder / "openings.sfen") << "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\n";
    Setting setting;
    setting.net = "material";
    setting.hash_kib = 16;
    setting.games = 4;
    setting.openings = folder / "openings.sfen";
    setting.folder = folder;
    return setting;
}

const Grid quick_grid{{1, 3}, {0.5}, 60};

// The moves of all games that a folder holds, by number.
std::map<std::uint64_t, std::vector<shogi::Move>> games_in(const std::filesystem::path& folder) {
    std::map<std::uint64_t, std::vector<shogi::Move>> games;
    auto store = arena::ResultStore::read(folder / arena::result_file);
    EXPECT_TRUE(store.ok());
    EXPECT_TRUE(store
                    ->for_each_game([&](const arena::StoredGame& game) {
                        for (const arena::PlayedMove& each : game.game.moves)
                            games[game.number].push_back(each.move);
                    })
                    .ok());
    return games;
}

TEST(Council, OfPlayersWithoutNoisePlaysWhatOneOfThemPlays) {
    Setting setting;
    setting.net = "material";
    auto alone = Council::create(council_of(setting, {1, 0, so_many_nodes(300)}), {});
    auto three = Council::create(council_of(setting, {3, 0, so_many_nodes(300)}), {});
    ASSERT_TRUE(alone.ok() && three.ok());
    ASSERT_TRUE((*alone)->prepare().ok() && (*three)->prepare().ok());
    think::SilentObserver silence;
    for (const TestPosition& each : own_positions(3)) {
        (*alone)->new_game();
        (*three)->new_game();
        EXPECT_EQ((*alone)->think(each.position, {}, silence, {}).move,
                  (*three)->think(each.position, {}, silence, {}).move);
        EXPECT_EQ((*three)->poll().ballots.size(), 3U);
    }
}

TEST(Council, AsksTheThirdOnlyWhereTwoDiffer) {
    Setting setting;
    setting.net = "material";
    CouncilConfig config = council_of(setting, {3, 1, so_many_nodes(100)});
    config.rule = "two-then-third";
    auto council = Council::create(config, {});
    ASSERT_TRUE(council.ok());
    ASSERT_TRUE((*council)->prepare().ok());
    think::SilentObserver silence;
    std::set<std::size_t> sizes;
    for (const TestPosition& each : own_positions(8)) {
        (*council)->new_game();
        (*council)->think(each.position, {}, silence, {});
        const auto& ballots = (*council)->poll().ballots;
        sizes.insert(ballots.size());
        EXPECT_EQ(ballots.size() == 2, ballots[0].move == ballots[1].move);
    }
    EXPECT_TRUE(sizes.contains(3)) << "material with noise of a pawn exchange agrees on everything";
}

TEST(Council, RefusesARuleThatAsksForOpinions) {
    CouncilConfig config = council_of({}, {3, 1, so_many_nodes(100)});
    config.rule = "exchange";
    EXPECT_FALSE(Council::create(config, {}).ok());
    config.rule = "shouting";
    EXPECT_FALSE(Council::create(config, {}).ok());
}

TEST(ConsultationExperiment, LinesUpWhatThePaperCompares) {
    const Grid grid;
    const Contest majority = majority_contest(grid);
    EXPECT_EQ(majority.entrants.size(), 17U);
    EXPECT_TRUE(majority.entrants.front().is_plain());
    EXPECT_EQ(majority.entrants[3].name(), "8 x 1/8, nodes=2000");
    const auto depths = depth_contests(grid, {3, 5});
    ASSERT_EQ(depths.size(), 2U);
    EXPECT_EQ(depths[1].entrants.size(), 9U);
    EXPECT_EQ(depths[1].entrants.back().name(), "16 x 1, depth=5");
    EXPECT_EQ(depth_contests({{1}, {0.25, 0.5}, 100}, {3})[0].entrants.size(), 3U) << "nobody is there twice";
    std::vector<std::string> names;
    for (const Entrant& entrant : resource_contest({{1, 4, 16}, {0.25}, 100}, 0.25).entrants)
        names.push_back(entrant.name());
    EXPECT_THAT(names, ElementsAre("plain, nodes=100", "4 x 1/4, nodes=100", "plain, nodes=400", "plain, nodes=200",
                                   "16 x 1/4, nodes=100", "plain, nodes=1600"))
        << "the root of sixteen is there already";
}

TEST(ConsultationExperiment, GivesEveryPlayerNoiseOfItsOwn) {
    Setting setting;
    setting.pawn_exchange = 202;
    const CouncilConfig council = council_of(setting, {4, 0.25, so_many_nodes(10)});
    std::set<std::string> seeds;
    for (const arena::EngineSpec& member : council.members)
        for (const auto& [name, value] : member.options) {
            if (name == "EvalNoiseSigma") {
                EXPECT_EQ(value, "51");
            }
            if (name == "EvalNoiseSeed") seeds.insert(value);
        }
    EXPECT_EQ(seeds.size(), 4U);
}

TEST(ConsultationGames, PlaysTheSameGamesWhetherItWasInterruptedOrNot) {
    const test::TempFolder whole;
    const test::TempFolder broken;
    const Contest contest = majority_contest(quick_grid);
    const auto plan = plan_of(quick_setting(whole.path()), contest);
    const auto again = plan_of(quick_setting(broken.path()), contest);
    ASSERT_TRUE(plan.ok() && again.ok());
    const auto all = play_planned(std::vector{*plan}, test::no_progress(), {});
    ASSERT_TRUE(all.ok()) << all.error().message;
    EXPECT_TRUE(all->complete());
    EXPECT_EQ(all->played, 8U);

    // Ends in the middle, again and again: every run finishes at least the game that the stop comes after.
    std::size_t runs = 0;
    for (bool complete = false; !complete; ++runs) {
        ASSERT_LT(runs, 20U);
        std::stop_source stop;
        auto match = arena::Match::open(again->config);
        ASSERT_TRUE(match.ok()) << match.error().message;
        (*match)->on_game([&](const arena::StoredGame&, const arena::Standing&) { stop.request_stop(); });
        ASSERT_TRUE((*match)->run(stop.get_token()).ok());
        complete = (*match)->complete();
    }
    EXPECT_GT(runs, 2U);
    EXPECT_EQ(games_in(broken.path() / contest.key), games_in(whole.path() / contest.key));
}

TEST(ConsultationGames, GoesOnAfterAFileWasCutOffInTheMiddleOfAWrite) {
    const test::TempFolder folder;
    const Contest contest = majority_contest(quick_grid);
    Setting setting = quick_setting(folder.path());
    setting.games = 2;
    ASSERT_TRUE(play_planned(std::vector{*plan_of(setting, contest)}, test::no_progress(), {}).ok());
    const auto before = games_in(folder.path() / contest.key);
    // What a program that is killed while it writes leaves behind: a journal that was never committed.
    const auto journal = (folder.path() / contest.key / arena::result_file).string() + "-wal";
    std::ofstream(journal, std::ios::binary | std::ios::app) << std::string(1000, '\x5a');
    setting.games = 4;
    const auto played = play_planned(std::vector{*plan_of(setting, contest)}, test::no_progress(), {});
    ASSERT_TRUE(played.ok()) << played.error().message;
    EXPECT_TRUE(played->complete());
    EXPECT_EQ(played->played, 4U);
    const auto after = games_in(folder.path() / contest.key);
    EXPECT_EQ(after.size(), 8U);
    for (const auto& [number, moves] : before)
        EXPECT_EQ(after.at(number), moves);
}

TEST(ConsultationExperiment, CountsDifferentVotesAndMoreOfThemWithMoreNoise) {
    Setting setting;
    setting.net = "material";
    setting.hash_kib = 64;
    const auto positions = own_positions(6);
    base::Progress progress("test", std::nullopt, 0, test::no_progress());
    const std::vector<double> sigmas{0.01, 2};
    const auto counts = count_votes(setting, 5, sigmas, 100, positions, progress, {});
    ASSERT_TRUE(counts.ok()) << counts.error().message;
    ASSERT_EQ(counts->size(), 2U);
    for (const VoteCount& count : *counts) {
        EXPECT_EQ(count.positions, 6U);
        std::uint64_t sum = 0;
        for (const std::uint64_t each : count.by_moves)
            sum += each;
        EXPECT_EQ(sum, 6U);
        EXPECT_LE(count.decided_as_plain, 6U);
    }
    EXPECT_LT(counts->front().mean_moves(), counts->back().mean_moves());
    EXPECT_GT(counts->front().voted_as_plain, counts->back().voted_as_plain);
}

TEST(ConsultationExperiment, FindsWhatAPawnIsWorthToMaterial) {
    const auto exchanges = pawn_exchanges(*eval::material_evaluator(), own_positions(6));
    ASSERT_FALSE(exchanges.empty());
    for (const double each : exchanges)
        EXPECT_DOUBLE_EQ(each, exchanges.front()) << "the same everywhere";
    EXPECT_GT(exchanges.front(), 0);
}

TEST(MajorityRate, IsTheSumOfThePaper) {
    EXPECT_DOUBLE_EQ(majority_rate(0.5, 3), 0.5);
    EXPECT_NEAR(majority_rate(0.6, 3), 0.6 * 0.6 * 0.6 + 3 * 0.6 * 0.6 * 0.4, 1e-12);
    for (const double p : {0.1, 0.55, 0.9})
        EXPECT_NEAR(majority_rate(p, 8), majority_rate(p, 7), 1e-12) << "an even number is as good as one fewer";
    EXPECT_GT(majority_rate(0.6, 15), majority_rate(0.6, 7));
    EXPECT_LT(majority_rate(0.4, 15), majority_rate(0.4, 7));
    EXPECT_THAT(majority_curve().to_svg(), HasSubstr("15 or 16 players"));
}

Trial trial(std::uint64_t nodes, std::uint64_t wins, std::uint64_t losses) {
    return {"a", nodes, Score{{wins, 0, losses}, {}}};
}

TEST(MixedStudy, DoublesHalvesAndThenDividesUntilTheScoreIsEven) {
    EXPECT_EQ(next_nodes({trial(100, 2, 8)}), 200U);
    EXPECT_EQ(next_nodes({trial(100, 8, 2)}), 50U);
    EXPECT_EQ(next_nodes({trial(100, 2, 8), trial(400, 9, 1)}), 200U);
    EXPECT_EQ(next_nodes({trial(100, 2, 8), trial(400, 9, 1), trial(200, 5, 5)}), std::nullopt);
    EXPECT_EQ(next_nodes({trial(100, 2, 8), trial(110, 9, 1)}), std::nullopt) << "closer is chance";
    EXPECT_EQ(next_nodes({trial(1, 8, 2)}), std::nullopt) << "there is nothing below";
}

TEST(MixedGames, MakesMembersEqualAndLetsTheirGroupPlayThem) {
    const test::TempFolder folder;
    const Setting setting = quick_setting(folder.path());
    MixedStudy study;
    for (const char* name : {"a", "b", "c"}) {
        arena::EngineSpec member;
        member.name = name;
        member.options = {{"EvalFile", "material"}, {"HashKiB", "16"}};
        member.allowance.nodes = 50;
        study.members.push_back(member);
    }
    study.games = 2;
    study.balance_games = 2;
    study.openings = setting.openings;
    study.folder = folder.path() / "mixed";
    const auto results = study_mixed(study, test::no_progress(), {});
    ASSERT_TRUE(results.ok()) << results.error().message;
    EXPECT_TRUE(results->complete);
    EXPECT_GE(results->trials.size(), 2U);
    EXPECT_EQ(results->pairings.size(), 3U);
    ASSERT_EQ(results->group.size(), 3U);
    for (const Pairing& pairing : results->group)
        EXPECT_EQ(pairing.score.games.games(), 2U);
    std::stop_source stop;
    stop.request_stop();
    const auto again = study_mixed(study, test::no_progress(), stop.get_token());
    ASSERT_TRUE(again.ok());
    EXPECT_TRUE(again->complete) << "all of it was played before";
    study.members.resize(2);
    EXPECT_FALSE(study_mixed(study, test::no_progress(), {}).ok());
}

TEST(ConsultationGames, WritesTablesChartsAndAPage) {
    const test::TempFolder folder;
    const Setting setting = quick_setting(folder.path());
    ConsultationOptions options;
    options.parts = {"votes", "majority", "depth", "resources", "curve"};
    options.players = {1, 3};
    options.sigmas = {0.5};
    options.nodes = 40;
    options.depths = {1, 2};
    options.games = 2;
    options.net = "material";
    options.hash_kib = 16;
    options.openings = setting.openings;
    options.records = {test::own_data("games").string()};
    options.positions = 3;
    options.from_ply = 10;
    options.to_ply = 60;
    options.output = folder.path() / "results";
    std::ostringstream out;
    const auto done = run_consultation(options, out, {});
    ASSERT_TRUE(done.ok()) << done.error().message;
    for (const char* text :
         {"64.26 %", "3 players vote", "40 nodes a player", "all at depth 2", "F(p)", "games a second"})
        EXPECT_THAT(out.str(), HasSubstr(text));
    for (const char* file : {"consultation.json", "consultation.md", "consultation.html", "consultation-curve.svg",
                             "consultation-majority-40.svg", "consultation-depth.svg", "consultation-votes.csv"})
        EXPECT_TRUE(std::filesystem::exists(options.output / file)) << file;
    options.parts = {"voting"};
    EXPECT_THAT(run_consultation(options, out, {}).error().message, HasSubstr("votes, majority"));
    options.parts = {"majority"};
    options.openings.clear();
    EXPECT_FALSE(run_consultation(options, out, {}).ok()) << "all games would be the same";
}

TEST(TwoThenThirdExperiment, DividesGamesIntoPhases) {
    const auto phases = two_then_third::phases_of({41, 2, 21});
    ASSERT_EQ(phases.size(), 3U);
    EXPECT_EQ(phases[0].from, 2);
    EXPECT_EQ(phases[0].to, 20);
    EXPECT_EQ(phases[2].from, 41);
    EXPECT_GT(phases[2].to, 1000);
}

TEST(TwoThenThirdGames, MeasuresAgreementAndPlaysTheRule) {
    const test::TempFolder folder;
    const Setting setting = quick_setting(folder.path());
    TwoThenThirdOptions options;
    for (const char* seed : {"1", "2", "3"}) {
        arena::EngineSpec& player = options.players.emplace_back();
        player.name = std::string("p") + seed;
        player.options = {
            {"EvalFile", "material"}, {"HashKiB", "16"}, {"EvalNoiseSigma", "50"}, {"EvalNoiseSeed", seed}};
        player.allowance.nodes = 50;
    }
    options.positions = 4;
    options.records = {test::own_data("games").string()};
    options.phases = {2, 31};
    options.games = 2;
    options.openings = setting.openings;
    options.output = folder.path() / "results";
    std::ostringstream out;
    const auto done = run_two_then_third(options, out, {});
    ASSERT_TRUE(done.ok()) << done.error().message;
    for (const char* text : {"60 to 70 %", "2 to 30", "from 31 on", "p1 twice", "nodes=100", "leader"})
        EXPECT_THAT(out.str(), HasSubstr(text));
    EXPECT_TRUE(std::filesystem::exists(options.output / "two-then-third-agreement.csv"));
    options.players.pop_back();
    EXPECT_THAT(run_two_then_third(options, out, {}).error().message, HasSubstr("three players"));
}

}  // namespace
}  // namespace tsumugi::experiment::consultation
