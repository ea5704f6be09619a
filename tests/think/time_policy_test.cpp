// SPDX-License-Identifier: GPL-3.0-or-later
#include "think/time_policy.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace tsumugi::think {
namespace {

using Ms = Milliseconds;
using shogi::Color;

constexpr Color us = Color::black;

ClockState clock_of(Ms left, Ms byoyomi, Ms increment = Ms{0}) {
    ClockState clock;
    clock.remaining = {left, left};
    clock.increment = {increment, increment};
    clock.byoyomi = byoyomi;
    return clock;
}

struct Case {
    ClockState clock;
    int ply = 0;
    int max_moves = 0;
    bool ponder = false;
    TimeSettings settings;

    [[nodiscard]] TimeBudget budget() const { return time_budget(clock, us, ply, max_moves, ponder, settings); }
};

// Clocks from nothing to hours, more often short than long, with all kinds of settings.
Case random_case(base::Random& random) {
    const auto time = [&](int longest_power) {
        const auto power = random.below(static_cast<std::uint64_t>(longest_power));
        return Ms{static_cast<Ms::rep>(random.below(std::uint64_t{1} << power))};
    };
    Case one;
    const auto kind = random.below(3);
    one.clock =
        clock_of(random.chance(0.2) ? Ms{0} : time(24), kind == 0 ? time(17) : Ms{0}, kind == 1 ? time(15) : Ms{0});
    one.ply = static_cast<int>(random.below(500));
    one.max_moves = random.chance(0.3) ? static_cast<int>(random.below(512)) : 0;
    one.ponder = random.chance(0.5);
    one.settings.network_delay = time(11);
    one.settings.network_delay_worst = one.settings.network_delay + time(12);
    one.settings.minimum = time(13);
    one.settings.slow_mover = static_cast<int>(random.between(1, 1000));
    one.settings.round_up_to_second = random.chance(0.5);
    return one;
}

template <typename Check>
void for_random_cases(int count, Check&& check) {
    base::Random random(20240601);
    for (int i = 0; i < count && !testing::Test::HasFatalFailure(); ++i) {
        SCOPED_TRACE(i);
        check(random_case(random), random);
    }
}

TEST(TimeBudget, NeverExceedsWhatTheClockAllowsLessTheReserve) {
    for_random_cases(50000, [](const Case& one, base::Random&) {
        const TimeBudget budget = one.budget();
        const Ms allowed = time_allowed(one.clock, us);
        ASSERT_LE(budget.maximum + time_reserve(allowed, one.settings), allowed);
        ASSERT_GE(budget.minimum, Ms{0});
        ASSERT_LE(budget.minimum, budget.optimum);
        ASSERT_LE(budget.optimum, budget.maximum);
    });
}

TEST(TimeBudget, KeepsHalfOfAShortClockAndTheWholeDelayOfALongOne) {
    for_random_cases(20000, [](const Case& one, base::Random&) {
        const Ms allowed = time_allowed(one.clock, us);
        const Ms reserve = time_reserve(allowed, one.settings);
        ASSERT_GE(reserve, std::min(allowed / 2, Ms{60}));
        ASSERT_LE(reserve, allowed / 2);
        if (allowed >= 2 * one.settings.network_delay_worst) {
            ASSERT_GE(reserve, one.settings.network_delay_worst);
        }
    });
}

TEST(TimeBudget, NeverShrinksWhenTheClockGrows) {
    for_random_cases(50000, [](const Case& one, base::Random& random) {
        Case richer = one;
        const Ms more{static_cast<Ms::rep>(random.below(5000))};
        richer.clock.remaining[index(us)] += more;
        const TimeBudget before = one.budget();
        if (before.unused_is_lost) return;  // there the whole byoyomi is thought through
        const TimeBudget after = richer.budget();
        ASSERT_GE(after.maximum, before.maximum);
        ASSERT_GE(after.optimum, before.optimum);
        ASSERT_GE(after.minimum, before.minimum);
    });
}

TEST(TimeBudget, UsesAnyByoyomiToItsEndWhenNothingElseIsLeft) {
    TimeSettings settings;
    settings.network_delay = Ms{0};
    settings.network_delay_worst = Ms{0};
    for (const Ms byoyomi : {Ms{100}, Ms{500}, Ms{1000}, Ms{10000}, Ms{60000}}) {
        const TimeBudget budget = time_budget(clock_of(Ms{0}, byoyomi), us, 60, 0, false, settings);
        EXPECT_TRUE(budget.unused_is_lost);
        EXPECT_EQ(budget.optimum, budget.maximum);
        EXPECT_GE(budget.maximum, std::max(byoyomi / 2, byoyomi - Ms{60}));
        EXPECT_LT(budget.maximum, byoyomi);
    }
}

TEST(TimeBudget, UsesByoyomiToItsEndInTheMoveThatRunsIntoIt) {
    TimeSettings settings;
    settings.network_delay = settings.network_delay_worst = Ms{100};
    const TimeBudget last = time_budget(clock_of(Ms{4000}, Ms{10000}), us, 60, 0, false, settings);
    EXPECT_TRUE(last.unused_is_lost);
    EXPECT_EQ(last.optimum, Ms{13900});
    EXPECT_FALSE(time_budget(clock_of(Ms{60000}, Ms{10000}), us, 60, 0, false, settings).unused_is_lost)
        << "while there is more than a move's share, what is saved serves later moves";
    EXPECT_FALSE(time_budget(clock_of(Ms{0}, Ms{0}, Ms{10000}), us, 60, 0, false, settings).unused_is_lost)
        << "an increment that is not used stays on the clock";
}

TEST(TimeBudget, LeavesRoomInAHundredMillisecondsEvenWithSettingsForSlowGames) {
    const TimeBudget budget = time_budget(clock_of(Ms{0}, Ms{100}), us, 60, 0, false, TimeSettings{});
    EXPECT_LE(budget.maximum, Ms{50});
    EXPECT_GT(budget.maximum, Ms{0});
    EXPECT_LE(budget.minimum, budget.maximum) << "MinimumThinkingTime must not win over the clock";
}

TEST(TimeBudget, HandsOutALongClockInSharesThatLastForTheGame) {
    const TimeSettings settings;
    Ms left{15 * 60 * 1000};
    for (int ply = 0; ply < 200; ply += 2) {
        const TimeBudget budget = time_budget(clock_of(left, Ms{0}), us, ply, 0, false, settings);
        left -= rounded_end(budget.optimum, budget, settings) + settings.network_delay;
        ASSERT_GT(left, Ms{0}) << "lost on time at ply " << ply;
    }
}

TEST(TimeBudget, NeverLosesAGameEvenIfEveryMoveTakesTheMaximumAndTheWorstDelay) {
    base::Random random(7);
    for (int game = 0; game < 2000; ++game) {
        Case one = random_case(random);
        one.max_moves = 0;
        for (one.ply = 0; one.ply < 300; one.ply += 2) {
            const Ms allowed = time_allowed(one.clock, us);
            const Ms used = one.budget().maximum + time_reserve(allowed, one.settings);
            ASSERT_LE(used, allowed) << "game " << game << " ply " << one.ply;
            Ms& left = one.clock.remaining[index(us)];
            // The custom in which the increment comes after the move, the harder of the two.
            left = std::max(left - used, Ms{0}) + one.clock.gained(us);
        }
    }
}

TEST(TimeBudget, SpendsMoreWithSlowMoverAndPondering) {
    const ClockState clock = clock_of(Ms{600000}, Ms{0});
    TimeSettings slow;
    slow.slow_mover = 200;
    const TimeBudget usual = time_budget(clock, us, 20, 0, false, TimeSettings{});
    EXPECT_EQ(time_budget(clock, us, 20, 0, false, slow).optimum, 2 * usual.optimum);
    EXPECT_GT(time_budget(clock, us, 20, 0, true, TimeSettings{}).optimum, usual.optimum);
}

TEST(TimeBudget, SpendsWhatIsLeftBeforeTheGameIsCalledADraw) {
    const ClockState clock = clock_of(Ms{100000}, Ms{0});
    EXPECT_GT(time_budget(clock, us, 318, 320, false, TimeSettings{}).optimum, Ms{90000});
    EXPECT_LT(time_budget(clock, us, 100, 320, false, TimeSettings{}).optimum, Ms{5000});
}

TEST(TimeBudget, BelievesInAnIncrementThatTheClockDoesNotShowYet) {
    // Programs that grant the increment before the move may say that nothing is left.
    const TimeBudget budget = time_budget(clock_of(Ms{0}, Ms{0}, Ms{5000}), us, 60, 0, false, TimeSettings{});
    EXPECT_GT(budget.maximum, Ms{3000});
    EXPECT_LT(budget.maximum, Ms{5000});
}

TEST(TimeBudget, SurvivesNonsense) {
    TimeSettings settings;
    settings.slow_mover = 1000;
    for (const Ms wild : {Ms::max(), Ms::min(), Ms{-1}}) {
        const TimeBudget budget = time_budget(clock_of(wild, wild, wild), us, 0, 0, true, settings);
        EXPECT_GE(budget.maximum, Ms{0});
        EXPECT_GE(budget.optimum, Ms{0});
    }
    EXPECT_EQ(time_budget(ClockState{}, us, 0, 0, false, settings), TimeBudget{});
}

TEST(RoundedEnd, UsesUpTheSecondThatHasBegunLessTheDelay) {
    const TimeBudget budget{Ms{0}, Ms{3000}, Ms{8880}};
    const TimeSettings settings;  // a delay of 120 ms
    EXPECT_EQ(rounded_end(Ms{100}, budget, settings), Ms{880});
    EXPECT_EQ(rounded_end(Ms{880}, budget, settings), Ms{880});
    EXPECT_EQ(rounded_end(Ms{881}, budget, settings), Ms{1880});
    EXPECT_EQ(rounded_end(Ms{8500}, budget, settings), Ms{8880});
    EXPECT_EQ(rounded_end(Ms{20000}, budget, settings), Ms{8880});
}

TEST(RoundedEnd, RespectsTheMinimumAndDoesNotRoundWhenTheClockDoesNot) {
    const TimeBudget budget{Ms{1500}, Ms{3000}, Ms{8880}};
    TimeSettings exact;
    exact.round_up_to_second = false;
    EXPECT_EQ(rounded_end(Ms{100}, budget, exact), Ms{1500});
    EXPECT_EQ(rounded_end(Ms{2345}, budget, exact), Ms{2345});
    EXPECT_EQ(rounded_end(Ms{100}, budget, TimeSettings{}), Ms{1880});
}

TEST(RoundedEnd, StaysWithinTheBudgetForEveryClock) {
    for_random_cases(20000, [](const Case& one, base::Random& random) {
        const TimeBudget budget = one.budget();
        const Ms elapsed{static_cast<Ms::rep>(random.below(20000))};
        const Ms end = rounded_end(elapsed, budget, one.settings);
        ASSERT_LE(end, budget.maximum);
        ASSERT_GE(end, std::min(elapsed, budget.maximum));
        ASSERT_GE(end, budget.minimum);
    });
}

}  // namespace
}  // namespace tsumugi::think
