// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tsumugi::ensemble {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(Config, ReadsPlayersWithTheirCommandsOptionsWeightsAndScales) {
    const auto config = Config::parse(R"(
        name = "Council"
        rule = "weighted"
        seed = 42
        [[player]]
        name = "first"
        weight = 2
        [player.options]
        USI_Hash = 16
        EvalFile = "some net.bin"
        USI_Ponder = true
        [[player]]
        command = "ssh host engine"
        scale = 285.5
        folder = "engines"
        [[player]]
        command = ["/opt/my engine/run", "--fast"]
    )",
                                      "files");
    ASSERT_TRUE(config.ok()) << config.error().message;
    EXPECT_EQ(config->name, "Council");
    EXPECT_EQ(config->rule, "weighted");
    EXPECT_EQ(config->seed, 42U);
    ASSERT_EQ(config->members.size(), 3U);
    const MemberConfig& first = config->members[0];
    EXPECT_TRUE(first.is_own());
    EXPECT_EQ(first.name, "first");
    EXPECT_DOUBLE_EQ(first.weight, 2);
    EXPECT_DOUBLE_EQ(first.scale, think::own_win_rate_scale);
    EXPECT_THAT(first.options, testing::UnorderedElementsAre(Pair("USI_Hash", "16"), Pair("EvalFile", "some net.bin"),
                                                             Pair("USI_Ponder", "true")));
    EXPECT_THAT(config->members[1].command, ElementsAre("ssh", "host", "engine"));
    EXPECT_DOUBLE_EQ(config->members[1].scale, 285.5);
    EXPECT_EQ(config->members[1].folder, "files/engines");
    EXPECT_EQ(config->members[1].name, "player2");
    EXPECT_THAT(config->members[2].command, ElementsAre("/opt/my engine/run", "--fast"));
}

TEST(Config, MakesCopiesOfOurEngineWithNoiseOfTheirOwn) {
    const auto config = Config::parse(R"(
        [[player]]
        name = "noisy"
        copies = 3
        options = { EvalNoiseSigma = 50, EvalNoiseSeed = 10 }
    )",
                                      "");
    ASSERT_TRUE(config.ok()) << config.error().message;
    ASSERT_EQ(config->members.size(), 3U);
    for (int i = 0; i < 3; ++i) {
        const MemberConfig& member = config->members[static_cast<std::size_t>(i)];
        EXPECT_EQ(member.name, "noisy" + std::to_string(i + 1));
        EXPECT_THAT(member.options,
                    ElementsAre(Pair("EvalNoiseSigma", "50"), Pair("EvalNoiseSeed", std::to_string(10 + i))));
    }
}

TEST(Config, SaysWhatIsWrongAndWhere) {
    const std::pair<const char*, const char*> rows[] = {
        {"rule = 3\n[[player]]", "line 1: rule is a text"},
        {"rule = \"lottery\"\n[[player]]", "there is no rule 'lottery'"},
        {"rule = \"leader\"", "there are no players"},
        {"player = 1", "[[player]]"},
        {"[[player]]\nwieght = 2", "line 2: unknown setting 'wieght'"},
        {"[[player]]\nweight = -1", "line 2: weight is a number from"},
        {"[[player]]\nweight = \"1\"", "line 2: weight is a number from"},
        {"[[player]]\ncommand = 7", "line 2: command is"},
        {"[[player]]\ncommand = []", "line 2: command is"},
        {"[[player]]\ncommand = \"'my engine\"", "line 2: the quote"},
        {"[[player]]\ncommand = \"engine\"\ncopies = 2", "copies is for our own engine"},
        {"[[player]]\noptions = { X = 1.5 }", "the option X"},
        {"[[player]", "line 1"},
        {"rule = \"two-then-third\"\n[[player]]\n[[player]]", "at least 3 players"},
    };
    for (const auto& [text, message] : rows) {
        const auto config = Config::parse(text, "");
        ASSERT_FALSE(config.ok()) << text;
        EXPECT_THAT(config.error().message, HasSubstr(message));
    }
    EXPECT_THAT(Config::load("/nowhere/group.toml").error().message, HasSubstr("/nowhere/group.toml"));
}

TEST(Config, SaysWhetherTablesAreSharedAndHowLargeTheyAre) {
    const auto separate = Config::parse("[[player]]", "");
    ASSERT_TRUE(separate.ok());
    EXPECT_FALSE(separate->shares_tables);
    const auto shared = Config::parse("tables = 'shared'\nshared_hash = 32\n[[player]]\ncopies = 2", "");
    ASSERT_TRUE(shared.ok()) << shared.error().message;
    EXPECT_TRUE(shared->shares_tables);
    EXPECT_EQ(shared->shared_mib, 32U);
    EXPECT_THAT(Config::parse("tables = 'mine'\n[[player]]", "").error().message, HasSubstr("line 1"));
}

TEST(Config, RefusesASizeForATableThatIsShared) {
    const auto own = Config::parse("tables = 'shared'\n[[player]]\nname = 'a'\noptions = { usi_hash = 16 }", "");
    ASSERT_FALSE(own.ok());
    EXPECT_THAT(own.error().message, HasSubstr("shared_hash"));
    EXPECT_TRUE(Config::parse("tables = 'shared'\n[[player]]\ncommand = 'x'\noptions = { USI_Hash = 16 }", "").ok());
}

}  // namespace
}  // namespace tsumugi::ensemble
