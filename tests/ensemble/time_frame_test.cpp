// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/time_frame.hpp"

#include <gtest/gtest.h>

namespace tsumugi::ensemble {
namespace {

using namespace std::chrono_literals;
using shogi::Color;

TimeRules rules() {
    TimeRules rules;
    rules.settings.round_up_to_second = false;
    rules.longest_think = 60s;
    return rules;
}

TEST(TimeFrame, EndsBeforeTheClockByTheReserveWhateverTheClockSays) {
    const auto begin = base::Clock::now();
    for (const auto left : {0ms, 1ms, 50ms, 1000ms, 10'000ms, 600'000ms})
        for (const auto byoyomi : {0ms, 1ms, 100ms, 1000ms, 10'000ms})
            for (const auto increment : {0ms, 10ms, 2000ms}) {
                think::ClockState clock;
                clock.remaining = {left, left};
                clock.increment = {increment, increment};
                clock.byoyomi = byoyomi;
                const auto allowed = think::time_allowed(clock, Color::black);
                const TimeFrame frame = time_frame({}, clock, Color::black, 20, rules(), begin);
                ASSERT_TRUE(frame.due && frame.nudge && frame.end);
                EXPECT_LE(begin, *frame.due);
                EXPECT_LE(*frame.due, *frame.nudge);
                EXPECT_LE(*frame.nudge, *frame.end);
                EXPECT_LE(*frame.end, begin + allowed - think::time_reserve(allowed, rules().settings))
                    << left.count() << " " << byoyomi.count() << " " << increment.count();
            }
}

TEST(TimeFrame, LeavesRoomForLatePlayersWhenByoyomiIsAllThereIs) {
    const auto begin = base::Clock::now();
    think::ClockState clock;
    clock.byoyomi = 10s;
    const TimeFrame frame = time_frame({}, clock, Color::white, 60, rules(), begin);
    EXPECT_EQ(*frame.end - begin, 10s - 1120ms);
    EXPECT_EQ(*frame.end - *frame.nudge, 200ms);
    EXPECT_EQ(*frame.nudge - *frame.due, 200ms);
}

TEST(TimeFrame, KeepsToTheTimeOfTheMove) {
    const auto begin = base::Clock::now();
    think::Limits limits;
    limits.move_time = 1000ms;
    const TimeFrame frame = time_frame(limits, std::nullopt, Color::black, 0, rules(), begin);
    EXPECT_EQ(*frame.end - begin, 940ms);
    EXPECT_LT(*frame.due, *frame.end);
}

TEST(TimeFrame, IsOpenWithoutLimitsAndBoundByPatienceWithNodes) {
    const auto begin = base::Clock::now();
    think::Limits limits;
    limits.infinite = true;
    EXPECT_FALSE(time_frame(limits, std::nullopt, Color::black, 0, rules(), begin).end.has_value());
    limits.infinite = false;
    limits.nodes = 1000;
    const TimeFrame frame = time_frame(limits, std::nullopt, Color::black, 0, rules(), begin);
    EXPECT_FALSE(frame.due.has_value()) << "the players are not told of a time";
    EXPECT_EQ(*frame.nudge - begin, 60s);
    EXPECT_GT(*frame.end, *frame.nudge);
}

TEST(TimeFrame, GivesAPartOfWhatIsLeft) {
    const auto now = base::Clock::now();
    const TimeFrame whole{now + 1000ms, now + 1100ms, now + 1200ms};
    const TimeFrame half = whole.part(now, 0.5);
    EXPECT_EQ(*half.due - now, 500ms);
    EXPECT_EQ(*half.nudge - now, 600ms);
    EXPECT_EQ(*half.end - now, 700ms);
    EXPECT_EQ(*whole.part(now, 1).due, *whole.due);
    EXPECT_EQ(*whole.part(now + 2000ms, 0.5).due, *whole.due) << "nothing is left to divide";
}

}  // namespace
}  // namespace tsumugi::ensemble
