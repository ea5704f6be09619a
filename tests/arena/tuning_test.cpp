// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/tuning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/parameter.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::arena {
namespace {

TuneConfig quick_tuning(const test::TempFolder& folder, std::uint64_t iterations) {
    TuneConfig config;
    config.engine.name = "self";
    config.engine.allowance.nodes = 50;
    config.engine.options = {{"USI_Hash", "1"}};
    config.spsa.parameters = {*parse_tune_parameter({"LmrBase"}), *parse_tune_parameter({"QsFutility", "step=60"})};
    config.spsa.iterations = iterations;
    config.pool.play.rules.max_moves = 60;
    config.folder = folder / "tuning";
    return config;
}

TEST(TuneParameter, IsFoundAmongTheNumbersOfTheSearch) {
    const auto known = parse_tune_parameter({"lmrbase", "rate=0.1"});
    ASSERT_TRUE(known.ok());
    EXPECT_EQ(known->name, "LmrBase");
    EXPECT_EQ(known->start, search::Parameters().lmr_base);
    EXPECT_EQ(known->step, (known->maximum - known->minimum) / 20);
    EXPECT_EQ(known->rate, 0.1);
    const auto option = parse_tune_parameter({"Contempt", "start=0", "min=-50", "max=50", "step=5"});
    ASSERT_TRUE(option.ok());
    EXPECT_EQ(option->minimum, -50);
    EXPECT_FALSE(parse_tune_parameter({"Contempt"}).ok()) << "a range is needed";
    EXPECT_FALSE(parse_tune_parameter({"LmrBase", "speed=1"}).ok());
    EXPECT_FALSE(parse_tune_parameter({}).ok());
}

TEST(Tuning, PlaysPairsAndMovesTheNumbers) {
    const test::TempFolder folder;
    const auto tuning = Tuning::open(quick_tuning(folder, 12));
    ASSERT_TRUE(tuning.ok()) << tuning.error().message;
    const auto done = (*tuning)->run({});
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ((*tuning)->done(), 12U);
    EXPECT_EQ((*tuning)->table().rows().size(), 2U);
    const auto page = (*tuning)->to_html();
    ASSERT_TRUE(page.ok()) << page.error().message;
    EXPECT_THAT(*page, testing::AllOf(testing::HasSubstr("12 of 12 pairs"), testing::HasSubstr("<svg"),
                                      testing::HasSubstr("QsFutility")));
}

TEST(Tuning, GoesOnWhereItWasInterrupted) {
    const test::TempFolder folder;
    const TuneConfig config = quick_tuning(folder, 10);
    std::vector<double> values;
    {
        const auto tuning = Tuning::open(config);
        ASSERT_TRUE(tuning.ok());
        std::stop_source stop;
        (*tuning)->on_iteration([&](const Tuning& state) {
            if (state.done() == 4) stop.request_stop();
        });
        ASSERT_TRUE((*tuning)->run(stop.get_token()).ok());
        EXPECT_EQ((*tuning)->done(), 4U);
        values = (*tuning)->spsa().values();
    }
    const auto again = Tuning::open(config);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ((*again)->done(), 4U);
    EXPECT_EQ((*again)->spsa().values(), values);
    ASSERT_TRUE((*again)->run({}).ok());
    EXPECT_EQ((*again)->done(), 10U);
}

TEST(Tuning, IsTheSameWithOrWithoutAnInterruption) {
    // One game at a time of a deterministic engine: chance comes from the seed alone.
    const test::TempFolder whole_folder;
    const auto whole = Tuning::open(quick_tuning(whole_folder, 8));
    ASSERT_TRUE(whole.ok());
    ASSERT_TRUE((*whole)->run({}).ok());
    const test::TempFolder folder;
    for (const std::uint64_t until : {3U, 8U}) {
        const auto part = Tuning::open(quick_tuning(folder, 8));
        ASSERT_TRUE(part.ok());
        std::stop_source stop;
        (*part)->on_iteration([&](const Tuning& state) {
            if (state.done() == until) stop.request_stop();
        });
        ASSERT_TRUE((*part)->run(stop.get_token()).ok());
        if (until == 8) {
            EXPECT_EQ((*part)->spsa().values(), (*whole)->spsa().values());
        }
    }
}

TEST(Tuning, RefusesNumbersThatDoNotExist) {
    const test::TempFolder folder;
    TuneConfig config = quick_tuning(folder, 1);
    config.spsa.parameters[0].name = "Luck";
    EXPECT_FALSE(Tuning::open(config).ok());
}

}  // namespace
}  // namespace tsumugi::arena
