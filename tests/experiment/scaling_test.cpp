// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/scaling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/data.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::experiment {
namespace {

using testing::HasSubstr;

ScalingOptions small(const std::filesystem::path& folder) {
    std::ofstream(folder / "openings.sfen") << "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\n"
                                               "startpos moves 7g7f 8c8d\n";
    ScalingOptions options;
    options.nodes = {20, 400, 800};
    options.games = {6, 2};
    options.net = "material";
    options.hash_mib = 1;
    options.concurrency = 2;
    options.openings = folder / "openings.sfen";
    options.output = folder / "results";
    return options;
}

TEST(Scaling, PlaysEveryNumberAgainstTheOneBefore) {
    const test::TempFolder folder;
    const ScalingOptions options = small(folder.path());
    std::ostringstream out;
    const auto done = run_scaling(options, out, {});
    ASSERT_TRUE(done.ok()) << done.error().message;
    const auto json = nlohmann::json::parse(test::read_file(options.output / "scaling.json"));
    EXPECT_TRUE(json["complete"]);
    ASSERT_EQ(json["nodes"].size(), 2U);
    const auto& first = json["nodes"][0];
    EXPECT_EQ(first["nodes"], 400);
    EXPECT_EQ(first["against"], 20);
    EXPECT_EQ(first["won"].get<int>() + first["drawn"].get<int>() + first["lost"].get<int>(), 6);
    EXPECT_GE(first["won"].get<int>(), 5) << "with twenty times the nodes";
    const auto& second = json["nodes"][1];
    EXPECT_EQ(second["won"].get<int>() + second["drawn"].get<int>() + second["lost"].get<int>(), 2);
    EXPECT_THAT(test::read_file(options.output / "scaling-nodes.svg"), HasSubstr("<svg"));

    std::ostringstream again;
    ASSERT_TRUE(run_scaling(options, again, {}).ok()) << "from the games that are there";
    EXPECT_EQ(again.str(), out.str());
}

TEST(Scaling, LetsThreadsPlayAgainstTheFirstNumber) {
    const test::TempFolder folder;
    ScalingOptions options = small(folder.path());
    options.nodes.clear();
    options.threads = {1, 2};
    options.thread_games = 2;
    options.move_time = 2;
    std::ostringstream out;
    const auto done = run_scaling(options, out, {});
    ASSERT_TRUE(done.ok()) << done.error().message;
    const auto json = nlohmann::json::parse(test::read_file(options.output / "scaling.json"));
    ASSERT_EQ(json["threads"].size(), 1U);
    EXPECT_EQ(json["threads"][0]["threads"], 2);
    EXPECT_FALSE(json.contains("nodes"));
}

TEST(Scaling, RefusesWhatTellsNothing) {
    const test::TempFolder folder;
    std::ostringstream out;
    for (const auto& spoil : std::initializer_list<void (*)(ScalingOptions&)>{
             [](ScalingOptions& o) { o.nodes = {1000}; },
             [](ScalingOptions& o) {
                 o.nodes = {1000, 1000};
             },
             [](ScalingOptions& o) {
                 o.threads = {2, 1};
             },
             [](ScalingOptions& o) { o.games.clear(); },
             [](ScalingOptions& o) { o.openings.clear(); },
         }) {
        ScalingOptions options = small(folder.path());
        spoil(options);
        EXPECT_FALSE(run_scaling(options, out, {}).ok());
    }
}

}  // namespace
}  // namespace tsumugi::experiment
