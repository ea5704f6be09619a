// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/program.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::app {
namespace {

using test::ProgramRun;
using test::run_program;

TEST(DataCommand, TakesGamesAllTheWayToShuffledPositions) {
    const test::TempFolder folder(test::fast_place());
    const auto file = [&](const char* name) { return (folder / name).string(); };
    const std::vector<std::vector<std::string>> steps{
        {"selfplay", file("a.tsa"), "--positions", "600", "--nodes", "20", "--hash", "1", "--workers", "1"},
        {"data", "split", file("a.tsa"), "--part", "2=" + file("b.tsa"), "--part", "1=" + file("c.tsa")},
        {"data", "relabel", file("a.tsa"), "-o", file("d.tsa"), "--depth", "1", "--hash", "1"},
        {"data", "merge", file("e.tsa"), file("a.tsa"), file("d.tsa"), "--renumber"},
        {"data", "filter", file("e.tsa"), "-o", file("f.hcpe3"), "--no-check", "--no-captures", "--quiet", "100"},
        {"data", "convert", file("f.hcpe3"), file("g.hcpe")},
        {"data", "shuffle", file("g.hcpe"), "-o", file("h.psv"), "--memory", "1"}};
    for (const auto& step : steps) {
        const ProgramRun output = run_program(step);
        ASSERT_EQ(output.status, 0) << step[0] << " " << step[1] << ": " << output.errors;
    }
    const auto games = nlohmann::json::parse(run_program({"data", "stats", file("e.tsa"), "--json"}).text);
    const auto parts =
        nlohmann::json::parse(run_program({"data", "stats", file("b.tsa"), file("c.tsa"), "--json"}).text);
    EXPECT_EQ(games["games"].get<int>(), 2 * parts["games"].get<int>());
    EXPECT_EQ(games["provenance"].size(), 4U) << "merged, played, relabelled, played";
    const auto positions = nlohmann::json::parse(run_program({"data", "stats", file("h.psv"), "--json"}).text);
    EXPECT_GT(positions["positions"].get<int>(), 0);
    EXPECT_LT(positions["positions"].get<int>(), games["positions"].get<int>());
    EXPECT_EQ(positions["in_check"], 0);
    EXPECT_EQ(positions["loud"], 0);
    EXPECT_NE(run_program({"data", "stats", file("h.psv")}).text.find("in check     0.0 %"), std::string::npos);
}

TEST(DataCommand, EndsWithOneSentenceWhenItCannot) {
    const test::TempFolder folder(test::fast_place());
    const auto file = [&](const char* name) { return (folder / name).string(); };
    ASSERT_EQ(run_program({"selfplay", file("a.tsa"), "--positions", "50", "--nodes", "20", "--hash", "1"}).status, 0);
    ASSERT_EQ(run_program({"data", "convert", file("a.tsa"), file("a.psv")}).status, 0);
    const ProgramRun games = run_program({"data", "convert", file("a.psv"), file("b.tsa")});
    EXPECT_EQ(games.status, 1);
    EXPECT_NE(games.errors.find("holds single positions: games cannot be made of them"), std::string::npos)
        << games.errors;
    const ProgramRun again = run_program({"data", "convert", file("a.tsa"), file("a.psv")});
    EXPECT_EQ(again.status, 1);
    EXPECT_NE(again.errors.find("--force"), std::string::npos) << again.errors;
    EXPECT_EQ(run_program({"data", "convert", file("a.tsa"), file("a.psv"), "--force"}).status, 0);
    EXPECT_EQ(run_program({"data", "split", file("a.tsa"), "--part", "half=x.tsa"}).status, 1);
}

}  // namespace
}  // namespace tsumugi::app
