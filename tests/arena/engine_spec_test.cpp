// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/engine_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tsumugi::arena {
namespace {

using testing::ElementsAre;
using testing::Pair;

EngineSpec spec(std::initializer_list<std::string_view> words) {
    EngineSpec result;
    for (const std::string_view word : words) {
        const auto set = result.set(word);
        EXPECT_TRUE(set.ok()) << (set.ok() ? "" : set.error().message);
    }
    return result;
}

TEST(EngineSpec, UnderstandsWhatTheUserSays) {
    const EngineSpec engine = spec({"name=A", "cmd=./a --fast", "dir=/tmp", "option.USI_Hash=64",
                                    "option.Book File=x=y", "nodes=1000", "ponder=true"});
    EXPECT_EQ(engine.name, "A");
    EXPECT_THAT(engine.command, ElementsAre("./a", "--fast"));
    EXPECT_EQ(engine.folder, "/tmp");
    EXPECT_THAT(engine.options, ElementsAre(Pair("USI_Hash", "64"), Pair("Book File", "x=y")));
    EXPECT_EQ(engine.allowance.nodes, 1000U);
    EXPECT_TRUE(engine.ponder);
    EXPECT_TRUE(engine.check().ok());
    EXPECT_TRUE(spec({"name=B", "cmd=self", "depth=3"}).is_own());
}

TEST(EngineSpec, TakesTheLastWordOnAnOption) {
    EXPECT_THAT(spec({"option.X=1", "option.X=2"}).options, ElementsAre(Pair("X", "2")));
}

TEST(EngineSpec, PutsTheNumberOfTheGameIntoOptions) {
    const EngineSpec engine = spec({"option.X=1", "option.Seed={game}", "option.File=a{game}b{game}"});
    EXPECT_THAT(engine.lasting_options(), ElementsAre(Pair("X", "1")));
    EXPECT_THAT(engine.options_of_game(12), ElementsAre(Pair("Seed", "12"), Pair("File", "a12b12")));
}

TEST(EngineSpec, FillsInDefaultsWithoutOverruling) {
    EngineSpec engine = spec({"name=A", "cmd=./a", "option.X=1"});
    engine.fill_from(spec({"nodes=500", "option.X=9", "option.Y=2"}));
    EXPECT_EQ(engine.allowance.nodes, 500U);
    EXPECT_THAT(engine.options, testing::UnorderedElementsAre(Pair("X", "1"), Pair("Y", "2")));
    EngineSpec timed = spec({"name=B", "cmd=./b", "byoyomi=1s"});
    timed.fill_from(spec({"nodes=500"}));
    EXPECT_FALSE(timed.allowance.nodes.has_value()) << "limits are taken as a whole";
}

TEST(EngineSpec, RefusesWhatItDoesNotKnow) {
    EngineSpec engine;
    for (const std::string_view bad : {"speed=9", "nodes=many", "cmd=", "ponder=maybe", "name"})
        EXPECT_FALSE(engine.set(bad).ok()) << bad;
    EXPECT_FALSE(spec({"cmd=./a", "nodes=1"}).check().ok()) << "no name";
    EXPECT_FALSE(spec({"name=A", "cmd=./a"}).check().ok()) << "no limit";
    EXPECT_FALSE(spec({"name=A", "cmd=./a", "nodes=1", "param.LmrBase=1"}).check().ok());
}

}  // namespace
}  // namespace tsumugi::arena
