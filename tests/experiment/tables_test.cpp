// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "eval/material.hpp"
#include "experiment/tables/contender.hpp"
#include "experiment/tables/match_study.hpp"
#include "experiment/tables/position_study.hpp"
#include "own_games.hpp"
#include "search/searcher.hpp"
#include "support/data.hpp"
#include "support/progress.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::experiment::tables {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TablesExperiment, CombinesEveryPolicyWithEveryScheme) {
    const auto contenders = make_contenders({"clearing", "Alternating:4"}, {"Modern", "TWODEEP"});
    ASSERT_TRUE(contenders.ok()) << contenders.error().message;
    std::vector<std::string> names;
    for (const Contender& contender : *contenders)
        names.push_back(contender.policy_name() + " " + std::string(contender.scheme_name()));
    EXPECT_THAT(names, ElementsAre("Clearing Modern", "Alternating:4 2x Modern", "Alternating:4 Modern",
                                   "Clearing TwoDeep", "Alternating:4 2x TwoDeep", "Alternating:4 TwoDeep"));
    const search::TableSettings doubled = (*contenders)[1].settings(100);
    EXPECT_EQ(doubled.kibibytes, 200U);
    EXPECT_EQ(doubled.policy, search::TablePolicy::alternating);
    EXPECT_EQ(doubled.second_probe_depth, 4);
    EXPECT_EQ((*contenders)[2].settings(100).kibibytes, 100U);
    EXPECT_EQ((*contenders)[5].settings(100).scheme, search::TableScheme::two_deep);
    EXPECT_EQ(make_contenders({"Ageing"}, {"all"})->size(), search::table_schemes.size());
}

TEST(TablesExperiment, SaysWhichPoliciesAndSchemesThereAre) {
    EXPECT_THAT(make_contenders({"Fading"}, {"Modern"}).error().message, HasSubstr("Ageing, Alternating, Clearing"));
    EXPECT_THAT(make_contenders({"Ageing"}, {"Small"}).error().message, HasSubstr("TwoBig"));
    EXPECT_FALSE(make_contenders({"Ageing:3"}, {"Modern"}).ok());
    EXPECT_FALSE(make_contenders({"Alternating:deep"}, {"Modern"}).ok());
    EXPECT_FALSE(make_contenders({}, {"Modern"}).ok());
}

TEST(TablesExperiment, TakesOnePositionOfAGameAndTheOneTwoPliesBefore) {
    const std::vector<TestPosition> positions = own_positions(4);
    ASSERT_EQ(positions.size(), 4U);
    std::set<shogi::Key> keys;
    for (const TestPosition& each : positions) {
        EXPECT_GE(each.position.history(), 30U);
        EXPECT_LE(each.position.history(), 80U);
        shogi::Position back = each.position;
        back.undo_move();
        back.undo_move();
        EXPECT_EQ(back.key(), each.before.key());
        EXPECT_EQ(back.history(), each.before.history());
        keys.insert(each.position.key());
    }
    EXPECT_EQ(keys.size(), 4U);
    const auto other = take_positions({own_games(), 4, 30, 80, 2});
    ASSERT_TRUE(other.ok());
    EXPECT_NE(other->front().position.key(), positions.front().position.key()) << "another seed, another choice";
    EXPECT_EQ(own_positions(4).back().position.key(), positions.back().position.key());
}

TEST(TablesExperiment, NeedsGamesThatAreLongEnough) {
    EXPECT_FALSE(take_positions({{}}).ok());
    EXPECT_FALSE(take_positions({own_games(), 10, 5000, 6000}).ok());
    EXPECT_FALSE(take_positions({{"no such file"}}).ok());
}

TEST(TablesExperiment, TakesAHundredPositionsFromATournament) {
    const auto folder = test::shared_data("games/wcsc28");
    if (folder.empty()) GTEST_SKIP() << "needs the larger collection of games";
    const auto positions = take_positions({{folder.string()}});
    ASSERT_TRUE(positions.ok()) << positions.error().message;
    EXPECT_EQ(positions->size(), 100U);
}

TEST(TablesExperiment, SearchesUnderEveryCondition) {
    const std::vector<TestPosition> positions = own_positions(2);
    PositionStudy study;
    study.conditions = {{Condition::Kind::time, 5}, {Condition::Kind::iterations, 3}, {Condition::Kind::nodes, 300}};
    const auto contenders = *make_contenders({"Alternating", "Ageing"}, {"Modern", "BigAll"});
    study.subjects.push_back({contenders.back(), 64, true});
    for (const Contender& contender : contenders)
        study.subjects.push_back({contender, 64});
    study.evaluator = eval::material_evaluator();
    base::Progress progress("test", std::nullopt, 0, test::no_progress());
    const auto first = study_positions(study, positions, progress, {});
    ASSERT_TRUE(first.ok());
    const auto again = study_positions(study, positions, progress, {});
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(progress.done(), 2 * 3 * study.subjects.size() * positions.size());
    for (std::size_t s = 0; s < study.subjects.size(); ++s)
        for (std::size_t p = 0; p < positions.size(); ++p) {
            EXPECT_GE((*first)[0][s][p].iterations, 1);
            EXPECT_EQ((*first)[1][s][p].iterations, 3);
            EXPECT_EQ((*first)[2][s][p].nodes, 300);
            EXPECT_GE((*first)[2][s][p].depth, (*first)[2][s][p].iterations / 2);
            EXPECT_EQ((*first)[1][s][p].nodes, (*again)[1][s][p].nodes) << "nothing is left over from a search before";
        }
}

TEST(TablesExperiment, WhoComesColdHasSearchedNothingBefore) {
    const std::vector<TestPosition> positions = own_positions(2);
    PositionStudy study;
    study.conditions = {{Condition::Kind::iterations, 5}};
    const Contender ageing;
    study.subjects = {{ageing, 1024}, {ageing, 1024, true}};
    study.evaluator = eval::material_evaluator();
    base::Progress progress("test", std::nullopt, 0, test::no_progress());
    const auto found = study_positions(study, positions, progress, {});
    ASSERT_TRUE(found.ok());
    for (std::size_t p = 0; p < positions.size(); ++p) {
        search::Searcher searcher;
        search::Settings settings;
        settings.table.kibibytes = 1024;
        searcher.configure(settings);
        searcher.set_evaluator(study.evaluator);
        think::SilentObserver silence;
        think::Limits limits;
        limits.depth = 5;
        const auto alone = searcher.search(positions[p].position, limits, silence, {});
        EXPECT_EQ((*found)[0][1][p].nodes, static_cast<double>(alone.nodes));
        EXPECT_NE((*found)[0][0][p].nodes, static_cast<double>(alone.nodes)) << "the other one has";
    }
}

TEST(TablesExperiment, EndsAtOnceWhenInterrupted) {
    const std::vector<TestPosition> positions = own_positions(2);
    PositionStudy study{{{Condition::Kind::nodes, 1'000'000'000}}, {{Contender(), 64}}, eval::material_evaluator()};
    base::Progress progress("test", std::nullopt, 0, test::no_progress());
    std::stop_source stop;
    stop.request_stop();
    const auto found = study_positions(study, positions, progress, stop.get_token());
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.error().message, "interrupted");
}

MatchStudy quick_matches(const std::filesystem::path& folder) {
    std::ofstream(folder / "openings.sfen") << "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\n";
    MatchStudy study;
    study.concurrency = 2;
    study.contenders = *make_contenders({"Clearing", "Alternating"}, {"Modern"});
    study.kibibytes = {8, 16};
    study.games = 4;
    study.nodes = 20;
    study.openings = folder / "openings.sfen";
    study.net = "material";
    study.folder = folder;
    return study;
}

TEST(TablesGames, PlaysEveryoneAgainstTheFirstWithEverySize) {
    const test::TempFolder folder;
    const MatchStudy study = quick_matches(folder.path());
    const auto results = study_matches(study, test::no_progress(), {});
    ASSERT_TRUE(results.ok()) << results.error().message;
    EXPECT_TRUE(results->complete);
    ASSERT_EQ(results->cells.size(), 4U);
    std::vector<std::string> names;
    for (const MatchCell& cell : results->cells) {
        names.push_back(std::to_string(cell.kibibytes) + " " + cell.contender.policy_name());
        EXPECT_EQ(cell.score.games.games(), 4U);
        EXPECT_EQ(cell.score.pairs.count(), 2U);
        ASSERT_TRUE(cell.score.estimate().has_value());
        const double score = static_cast<double>(2 * cell.score.games.wins + cell.score.games.draws) / 8;
        EXPECT_DOUBLE_EQ(cell.score.estimate()->score, score) << "seen from the same side as the games";
    }
    EXPECT_THAT(names, ElementsAre("8 Alternating 2x", "8 Alternating", "16 Alternating 2x", "16 Alternating"));
}

TEST(TablesGames, GoesOnWithMatchesWhereTheyWere) {
    const test::TempFolder folder;
    MatchStudy study = quick_matches(folder.path());
    study.games = 2;
    study.kibibytes = {8};
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = study_matches(study, test::no_progress(), stop.get_token());
    ASSERT_TRUE(stopped.ok()) << stopped.error().message;
    EXPECT_FALSE(stopped->complete);
    const auto first = study_matches(study, test::no_progress(), {});
    ASSERT_TRUE(first.ok());
    // Everything is there: even when stopped at once all results come back.
    const auto again = study_matches(study, test::no_progress(), stop.get_token());
    ASSERT_TRUE(again.ok());
    EXPECT_TRUE(again->complete);
    ASSERT_EQ(again->cells.size(), first->cells.size());
    for (std::size_t i = 0; i < first->cells.size(); ++i)
        EXPECT_EQ(again->cells[i].score.games.wins, first->cells[i].score.games.wins);
}

TEST(TablesExperiment, WillNotPlayTheSameGameAgainAndAgain) {
    const test::TempFolder folder;
    MatchStudy study = quick_matches(folder.path());
    study.openings.clear();
    EXPECT_FALSE(study_matches(study, test::no_progress(), {}).ok());
    study = quick_matches(folder.path());
    study.contenders.resize(1);
    EXPECT_FALSE(study_matches(study, test::no_progress(), {}).ok());
}

TEST(TablesGames, WritesItsTablesBesideThePublishedOnes) {
    const test::TempFolder folder;
    quick_matches(folder.path());
    TablesOptions options;
    options.policies = {"Clearing", "Alternating"};
    options.kibibytes = {16};
    options.net = "material";
    options.positions = 3;
    options.games = own_games();
    options.times.clear();
    options.iterations = {3};
    options.nodes = {500};
    options.match_games = 2;
    options.match_nodes = 40;
    options.openings = folder.path() / "openings.sfen";
    options.output = folder.path() / "results";
    std::ostringstream out;
    const auto done = run_tables(options, out, {});
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_THAT(out.str(), HasSubstr("Searches of 3 iterations"));
    EXPECT_THAT(out.str(), HasSubstr("Games of 40 nodes a move against Clearing Modern"));
    const auto json = nlohmann::json::parse(test::read_file(options.output / "tables.json"));
    EXPECT_EQ(json["positions"], 3);
    ASSERT_EQ(json["positions-1"].size(), 4U);
    EXPECT_EQ(json["positions-1"][0]["policy"], "cold");
    EXPECT_EQ(json["matches"].size(), 2U);
    ASSERT_EQ(json["positions-paper"].size(), 18U);
    EXPECT_EQ(json["positions-paper"][6]["Tac-1"], 15.3);
    EXPECT_EQ(json["positions-paper"][6]["here"], "3 iterations");
    EXPECT_TRUE(json["positions-paper"][0]["here"].is_null()) << "no search of fixed time was asked for";
    EXPECT_THAT(test::read_file(options.output / "tables.md"), HasSubstr("| Alternating 2x"));
    std::istringstream searches(test::read_file(options.output / "tables-searches.csv"));
    std::size_t lines = 0;
    for (std::string line; std::getline(searches, line);)
        ++lines;
    EXPECT_EQ(lines, 1U + 2 * 4 * 3);
}

TEST(TablesExperiment, RefusesToMeasureNothing) {
    std::ostringstream out;
    TablesOptions options;
    options.positions = 0;
    EXPECT_FALSE(run_tables(options, out, {}).ok());
    options = TablesOptions();
    options.kibibytes.clear();
    EXPECT_FALSE(run_tables(options, out, {}).ok());
    options = TablesOptions();
    options.to_ply = 20;
    EXPECT_FALSE(run_tables(options, out, {}).ok());
}

}  // namespace
}  // namespace tsumugi::experiment::tables
