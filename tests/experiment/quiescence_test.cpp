// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/quiescence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "eval/material.hpp"
#include "experiment/quiescence/position.hpp"
#include "experiment/quiescence/problem.hpp"
#include "experiment/quiescence/study.hpp"
#include "experiment/quiescence/table_of_result.hpp"
#include "experiment/quiescence/tree.hpp"
#include "own_games.hpp"
#include "shogi/movegen.hpp"
#include "support/damage.hpp"
#include "support/data.hpp"
#include "support/position.hpp"
#include "support/progress.hpp"
#include "support/random_play.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::experiment::quiescence {
namespace {

using search::QuiescencePolicy;
using testing::HasSubstr;

// The value of a tree without bounds, order or memory. Policies may stand still when they are not in check.
template <typename Admits>
int slow_value(shogi::Position& position, int depth, int ply, bool may_stand, Admits&& admits) {
    const auto evaluation = eval::material_evaluator()->start();
    evaluation->reset(position);
    const int standing = evaluation->evaluate(position);
    if (depth == 0) return standing;
    shogi::MoveList moves;
    shogi::legal_moves(position, moves, shogi::Promotion::sensible);
    if (moves.empty()) return search::mated_in(ply);
    const bool stands = may_stand && !position.in_check();
    int best = stands ? standing : -search::value_infinite;
    for (const shogi::Move move : moves) {
        if (stands && !admits(position, move)) continue;
        position.do_move(move);
        best = std::max(best, -slow_value(position, depth - 1, ply + 1, may_stand, admits));
        position.undo_move();
    }
    return best;
}

TEST(QuiescenceTree, HasTheValueOfFullWidthSearchWithoutPruning) {
    const Rating rating;
    Tree tree(eval::material_evaluator(), rating);
    int number = 0;
    test::play_random_games(1, 90, 8, [&](shogi::Position& position) {
        if (++number % 15 != 0) return;
        const auto results = tree.full_width(position, 3);
        for (int depth = 1; depth <= 2; ++depth)
            EXPECT_EQ(results[static_cast<std::size_t>(depth - 1)].value,
                      slow_value(position, depth, 0, false, [](auto&&...) { return true; }));
        EXPECT_GT(results[2].nodes, results[1].nodes);
    });
    EXPECT_GT(number, 60);
}

TEST(QuiescenceTree, HasTheValueOfAPolicysMovesBesideStandingStill) {
    const Rating rating;
    Tree tree(eval::material_evaluator(), rating);
    int number = 0;
    test::play_random_games(2, 90, 9, [&](shogi::Position& position) {
        if (++number % 9 != 0) return;
        const auto captures = [](const shogi::Position& p, shogi::Move m) { return p.is_capture(m); };
        EXPECT_EQ(tree.by_policy(position, QuiescencePolicy::capture, 3).back().value,
                  slow_value(position, 3, 0, true, captures));
        const auto checks = [](const shogi::Position& p, shogi::Move m) { return p.gives_check(m); };
        EXPECT_EQ(tree.by_policy(position, QuiescencePolicy::check, 3).back().value,
                  slow_value(position, 3, 0, true, checks));
        EXPECT_EQ(tree.by_policy(position, QuiescencePolicy::all, 2).back().value,
                  slow_value(position, 2, 0, true, [](auto&&...) { return true; }));
    });
}

TEST(QuiescenceTree, LooksAtOneNodeWhenOnlyTheEvaluationCounts) {
    const Rating rating;
    Tree tree(eval::material_evaluator(), rating);
    for (const TreeResult& result : tree.by_policy(shogi::Position::even(), QuiescencePolicy::eval, 3)) {
        EXPECT_EQ(result.nodes, 1U);
        EXPECT_EQ(result.value, 0);
        EXPECT_TRUE(result.best.is_none());
    }
}

TEST(QuiescenceRating, PrefersWhatWasGoodBefore) {
    const shogi::Position position = shogi::Position::even();
    Rating rating;
    rating.note(position, test::usi("2g2f"), 3, true);
    rating.note(position, test::usi("9i9h"), 3, false);
    EXPECT_GT(rating.of(position, test::usi("2g2f")), rating.of(position, test::usi("7g7f")));
    EXPECT_LT(rating.of(position, test::usi("9i9h")), rating.of(position, test::usi("7g7f")));
    const shogi::Position exchange = test::position("4k4/9/9/9/4r4/4P4/9/9/4K4 b - 1");
    EXPECT_GT(rating.of(exchange, test::usi("5f5e")), rating.of(exchange, test::usi("5i4i")));
}

TEST(QuiescenceExperiment, TakesPositionsAfterTheOpeningOfEveryGame) {
    const auto positions = sample_positions({own_games(), 12, 30, 1});
    ASSERT_TRUE(positions.ok()) << positions.error().message;
    ASSERT_EQ(positions->size(), 12U);
    for (const shogi::Position& position : *positions) {
        EXPECT_GE(position.history(), 30U);
        EXPECT_TRUE(shogi::has_legal_move(position));
    }
    EXPECT_THAT(sample_positions({own_games(), 5, 5000, 1}).error().message, HasSubstr("goes on after move 5000"));
    EXPECT_FALSE(sample_positions({{}, 5, 30, 1}).ok());
}

TEST(QuiescenceExperiment, MeasuresProgressByTheDangerToAKing) {
    EXPECT_EQ(progress_of(shogi::Position::even()), 0);
    // A rook sees the king and the two squares before him; two dragons see everything around him.
    EXPECT_EQ(progress_of(test::position("9/9/4k4/9/9/9/9/4R4/K8 w - 1")), 3);
    EXPECT_EQ(phase_of(progress_of(test::position("4k4/3+R1+R3/9/9/9/9/9/9/K8 w - 1"))), Phase::end);
    EXPECT_EQ(phase_of(4), Phase::opening);
    EXPECT_EQ(phase_of(5), Phase::middle);
    EXPECT_EQ(phase_of(9), Phase::middle);
    EXPECT_EQ(phase_of(10), Phase::end);
}

Study small_study() {
    Study study;
    study.policies = {QuiescencePolicy::eval, QuiescencePolicy::see, QuiescencePolicy::see_threatmate,
                      QuiescencePolicy::rating, QuiescencePolicy::all};
    study.deepest = 2;
    study.evaluator = eval::material_evaluator();
    return study;
}

TEST(QuiescenceExperiment, FindsTheSameWithAnyNumberOfThreadsAndAfterAnInterruption) {
    const auto positions = *sample_positions({own_games(), 6, 30, 1});
    const nlohmann::json facts{{"study", "small"}};
    const test::TempFolder folder;
    const auto findings_of = [&](const std::filesystem::path& path, int threads) {
        Study study = small_study();
        study.threads = threads;
        auto log = Log::open(path, study, facts, positions.size());
        EXPECT_TRUE(log.ok());
        base::Progress progress("test", std::nullopt, 0, test::no_progress());
        return *study_positions(study, positions, *log, progress, {});
    };
    const std::vector<Finding> first = findings_of(folder / "log", 1);
    ASSERT_EQ(first.size(), 6U);
    EXPECT_EQ(first.front().full_width.size(), 2U);
    EXPECT_EQ(findings_of({}, 3), first);

    // Two findings are lost and a third was not written to its end.
    const std::string whole = test::read_file(folder / "log");
    std::size_t cut = 0;
    for (int line = 0; line < 4; ++line)
        cut = whole.find('\n', cut) + 1;
    std::ofstream(folder / "log", std::ios::trunc) << whole.substr(0, cut + 40);
    EXPECT_EQ(findings_of(folder / "log", 1), first);
    EXPECT_THAT(Log::open(folder / "log", small_study(), {{"study", "another"}}, 6).error().message,
                HasSubstr("other positions"));
}

TEST(QuiescenceExperiment, ReadsOnlyCompleteFindings) {
    const Study study = small_study();
    Finding finding;
    finding.progress = 7;
    finding.categories = {"SEE"};
    finding.full_width = {{10, 30}, {-31990, 900}};
    finding.policies.assign(study.policies.size(), finding.full_width);
    const std::string text = to_json(finding, study).dump();
    EXPECT_EQ(from_json(nlohmann::json::parse(text), study), finding);
    test::for_each_damaged(text, 300, [&](const std::string& damaged) {
        const nlohmann::json json = nlohmann::json::parse(damaged, nullptr, false);
        const auto read = from_json(json, study);
        EXPECT_TRUE(!read || read->policies.size() == study.policies.size()) << damaged;
    });
    Study deeper = study;
    deeper.deepest = 3;
    EXPECT_FALSE(from_json(nlohmann::json::parse(text), deeper).has_value());
}

TEST(QuiescenceExperiment, KnowsPoliciesByName) {
    EXPECT_EQ(find_policies({"skep+check"})->front(), QuiescencePolicy::skep_check);
    EXPECT_THAT(find_policies({"Lazy"}).error().message, HasSubstr("SEE+Threatmate"));
}

TEST(QuiescenceExperiment, ReadsProblemsAndSaysWhichLineIsWrong) {
    const test::TempFolder folder;
    const auto path = folder / "few.tsv";
    std::ofstream(path) << "# id\tsfen\tanswer\nmate\t4k4/9/4P4/9/9/9/9/9/4K4 b G 1\tG*5b\tmore\n";
    const auto set = read_problems(path);
    ASSERT_TRUE(set.ok()) << set.error().message;
    EXPECT_EQ(set->name, "few");
    ASSERT_EQ(set->problems.size(), 1U);
    EXPECT_EQ(set->problems[0].answer, test::usi("G*5b"));
    for (const auto* line :
         {"mate\t4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "mate\tnonsense\tG*5b", "mate\t4k4/9/4P4/9/9/9/9/9/4K4 b G 1\tG*5c",
          "mate\t4k4/9/4P4/9/9/9/9/9/4K4 b G 1\tgold"}) {
        std::ofstream(path, std::ios::trunc) << "# head\n" << line << "\n";
        EXPECT_THAT(read_problems(path).error().message, HasSubstr("few.tsv:2")) << line;
    }
    std::ofstream(path, std::ios::trunc) << "# nothing\n";
    EXPECT_THAT(read_problems(path).error().message, HasSubstr("no problems"));
}

TEST(QuiescenceExperiment, WritesTablesAndCharts) {
    const test::TempFolder folder;
    std::ofstream(folder / "few.tsv") << "mate\t4k4/9/4P4/9/9/9/9/9/4K4 b G 1\tG*5b\n";
    QuiescenceOptions options;
    options.policies = {"Eval", "SEE", "Check", "All"};
    options.net = "material";
    options.games = own_games();
    options.positions = 5;
    options.depth = 2;
    options.problems = {folder / "few.tsv"};
    options.problem_depths = {1};
    options.problem_nodes = {200};
    options.output = folder / "out";
    std::ostringstream out;
    const auto done = run_quiescence(options, out, {});
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_THAT(out.str(), HasSubstr("Difference to full-width search of depth 2"));
    EXPECT_THAT(out.str(), HasSubstr("Problems solved with 200 nodes"));
    const auto json = nlohmann::json::parse(test::read_file(folder / "out/quiescence.json"));
    EXPECT_EQ(json.at("problems-1").size(), 5U) << "the standard policy takes part in problems";
    for (const auto& row : json.at("problems-1"))
        EXPECT_EQ(row.at("few (1)"), 1) << "everybody sees a mate in one";
    EXPECT_EQ(json.at("depth-1").size(), 5U);
    EXPECT_THAT(test::read_file(folder / "out/quiescence.html"), HasSubstr("<svg"));
    const std::string first = test::read_file(folder / "out/quiescence.md");
    ASSERT_TRUE(run_quiescence(options, out, {}).ok());
    EXPECT_EQ(test::read_file(folder / "out/quiescence.md"), first) << "the searches are not done again";
}

TEST(QuiescenceExperiment, WantsSomethingToDo) {
    QuiescenceOptions options;
    options.positions = 0;
    std::ostringstream out;
    EXPECT_FALSE(run_quiescence(options, out, {}).ok());
    options.positions = 5;
    options.net = "material";
    EXPECT_THAT(run_quiescence(options, out, {}).error().message, HasSubstr("--games"));
}

}  // namespace
}  // namespace tsumugi::experiment::quiescence
