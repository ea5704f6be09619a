// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/sliders.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "eval/material.hpp"
#include "experiment/sliders/finder_study.hpp"
#include "experiment/sliders/speed_study.hpp"
#include "experiment/sliders/trial.hpp"
#include "shogi/slider/all.hpp"
#include "support/progress.hpp"

namespace tsumugi::experiment {
namespace {

TEST(SlidersExperiment, HasATrialForEveryMethodTheProcessorSupports) {
    std::set<std::string> expected;
    shogi::slider::AllMethods::for_each([&]<typename M>() {
        if (shogi::slider::is_native<M>) expected.insert(M::name);
    });
    std::set<std::string> names;
    for (const auto& trial : sliders::make_trials())
        names.insert(trial->name());
    EXPECT_EQ(names, expected);
}

TEST(SlidersExperiment, PlaysTheSameTreeWithEveryMethod) {
    const std::vector<shogi::Setup> even{shogi::Setup::even()};
    for (const auto& trial : sliders::make_trials()) {
        trial->load(even);
        EXPECT_EQ(trial->perft(3), 25'470U) << trial->name();
    }
}

TEST(SlidersExperiment, SearchesTheSameTreeWithEveryMethod) {
    const std::vector<shogi::Setup> setups = sliders::random_game_positions(5, 3);
    std::set<std::pair<std::uint64_t, std::uint64_t>> outcomes;
    for (const auto& trial : sliders::make_trials()) {
        trial->load(setups);
        const sliders::EngineWork work = trial->search(eval::material_evaluator(), 500);
        EXPECT_GT(work.nodes, 500U) << trial->name();
        outcomes.emplace(work.nodes, work.checksum);
    }
    EXPECT_EQ(outcomes.size(), 1U);
}

TEST(SlidersExperiment, MeasuresEveryMethodAgainstRotatedBitboards) {
    base::Progress progress("test", std::nullopt, 0, test::no_progress());
    const auto positions = sliders::random_game_positions(3, 2);
    ASSERT_EQ(positions.size(), 2U);
    const auto speeds =
        sliders::study_speed({1, 1, 2, 2, 1, 1, 200, eval::material_evaluator()}, positions, positions, progress);
    ASSERT_TRUE(speeds.ok());
    for (const sliders::MethodSpeed& method : *speeds) {
        EXPECT_GT(method.game_rook.rate.median, 0) << method.method;
        EXPECT_GT(method.even_perft.rate.median, 0) << method.method;
        EXPECT_GT(method.even_engine.rate.median, 0) << method.method;
        EXPECT_GT(method.game_engine.rate.median, 0) << method.method;
        if (method.method == shogi::slider::Rotated::name) {
            EXPECT_EQ(method.random_bishop.share.median, 1);
        }
    }
    EXPECT_EQ(progress.done(), 2U * (sliders::speed_races + sliders::engine_races));
}

TEST(SlidersExperiment, CountsARunThatFoundNothingAsBeyondTheLimit) {
    base::Progress progress("test", std::nullopt, 0, test::no_progress());
    const auto cells = sliders::study_finder(1, 1, 20, progress);
    ASSERT_EQ(cells.size(), static_cast<std::size_t>(sliders::finder_cells));
    for (const auto& cell : cells) {
        if (cell.found == 0) {
            EXPECT_EQ(cell.tries.median, 21) << cell.piece;
        }
    }
    EXPECT_EQ(cells[0].found, 0);  // a rook with a single random word: the paper found none in a million
}

TEST(SlidersExperiment, NamesTheLineOfAPositionThatCannotBePlayed) {
    const auto path = std::filesystem::path(testing::TempDir()) / "sliders-positions.sfen";
    std::ofstream(path)
        << "# comment\nlnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\tnote\nnonsense\n";
    SlidersOptions options;
    options.positions = path;
    std::ostringstream out;
    const auto done = run_sliders(options, out);
    ASSERT_FALSE(done.ok());
    EXPECT_NE(done.error().message.find("sliders-positions.sfen:3"), std::string::npos) << done.error().message;
    EXPECT_TRUE(out.str().empty());
    options.positions = path.string() + ".missing";
    EXPECT_FALSE(run_sliders(options, out).ok());
    std::filesystem::remove(path);
}

TEST(SlidersExperiment, RefusesToMeasureNothing) {
    SlidersOptions options;
    options.rounds = 0;
    std::ostringstream out;
    EXPECT_FALSE(run_sliders(options, out).ok());
}

}  // namespace
}  // namespace tsumugi::experiment
