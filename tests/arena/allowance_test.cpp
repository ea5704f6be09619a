// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/allowance.hpp"

#include <gtest/gtest.h>

namespace tsumugi::arena {
namespace {

using shogi::Color;
using std::chrono::milliseconds;

Allowance allowance(std::initializer_list<std::pair<std::string_view, std::string_view>> bounds) {
    Allowance result;
    for (const auto& [name, value] : bounds)
        EXPECT_TRUE(*result.set(name, value)) << name;
    return result;
}

TEST(Duration, IsReadInSeveralUnits) {
    EXPECT_EQ(*parse_duration("1500"), milliseconds(1500));
    EXPECT_EQ(*parse_duration("1500ms"), milliseconds(1500));
    EXPECT_EQ(*parse_duration("1.5s"), milliseconds(1500));
    EXPECT_EQ(*parse_duration("2m"), milliseconds(120'000));
    for (const std::string_view bad : {"", "s", "-1", "1h", "nan", "inf", "1e30"})
        EXPECT_FALSE(parse_duration(bad).ok()) << bad;
}

TEST(Allowance, IsDescribedAsItWasWritten) {
    const Allowance all = allowance({{"nodes", "20000"}, {"depth", "9"}, {"time", "10s"}, {"inc", "100"}});
    EXPECT_EQ(all.describe(), "nodes=20000 depth=9 time=10000ms inc=100ms");
    EXPECT_TRUE(all.has_clock());
    EXPECT_TRUE(Allowance().is_empty());
    EXPECT_FALSE(*Allowance().set("hash", "16"));
    EXPECT_FALSE(Allowance().set("nodes", "0").ok());
    EXPECT_FALSE(Allowance().set("depth", "deep").ok());
}

TEST(GameClock, CountsByoyomiAfterTheTime) {
    GameClock clock({allowance({{"time", "1000"}, {"byoyomi", "500"}}), allowance({{"nodes", "10"}})});
    EXPECT_EQ(clock.allowed(Color::black), milliseconds(1500));
    EXPECT_FALSE(clock.allowed(Color::white).has_value());
    clock.charge(Color::black, milliseconds(400));
    EXPECT_EQ(clock.allowed(Color::black), milliseconds(1100));
    clock.charge(Color::black, milliseconds(1000));
    EXPECT_EQ(clock.allowed(Color::black), milliseconds(500));
    clock.charge(Color::black, milliseconds(500));
    EXPECT_EQ(clock.allowed(Color::black), milliseconds(500)) << "byoyomi begins anew with every move";
    const think::Limits limits = clock.limits(Color::black);
    ASSERT_TRUE(limits.clock.has_value());
    EXPECT_EQ(limits.clock->left(Color::black), milliseconds(0));
    EXPECT_EQ(limits.clock->byoyomi, milliseconds(500));
    EXPECT_EQ(clock.limits(Color::white).nodes, 10U);
    EXPECT_FALSE(clock.limits(Color::white).clock.has_value());
}

TEST(GameClock, GrantsIncrementsBeforeTheMove) {
    const Allowance fischer = allowance({{"time", "1s"}, {"inc", "100"}});
    GameClock clock({fischer, fischer});
    EXPECT_EQ(clock.allowed(Color::white), milliseconds(1100));
    clock.charge(Color::white, milliseconds(1050));
    EXPECT_EQ(clock.allowed(Color::white), milliseconds(150));
    EXPECT_EQ(clock.state(Color::white).left(Color::white), milliseconds(50));
    EXPECT_EQ(clock.state(Color::white).gained(Color::white), milliseconds(100));
    EXPECT_EQ(clock.allowed(Color::black), milliseconds(1100));
}

TEST(GameClock, TellsEverybodyHisOwnKindOfClockWhenTheyDiffer) {
    const GameClock clock({allowance({{"byoyomi", "500"}}), allowance({{"time", "1s"}, {"inc", "100"}})});
    EXPECT_EQ(clock.state(Color::black).byoyomi, milliseconds(500));
    EXPECT_EQ(clock.state(Color::black).gained(Color::white), milliseconds(0));
    EXPECT_EQ(clock.state(Color::white).byoyomi, milliseconds(0));
    EXPECT_EQ(clock.state(Color::white).gained(Color::white), milliseconds(100));
}

TEST(GameClock, TakesTheTightestOfTimesForAMove) {
    const GameClock clock(
        {allowance({{"movetime", "200"}, {"time", "1s"}}), allowance({{"movetime", "2s"}, {"time", "1s"}})});
    EXPECT_EQ(clock.allowed(Color::black), milliseconds(200));
    EXPECT_EQ(clock.allowed(Color::white), milliseconds(1000));
}

}  // namespace
}  // namespace tsumugi::arena
