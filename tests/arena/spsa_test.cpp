// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/spsa.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "report/elo.hpp"

namespace tsumugi::arena {
namespace {

SpsaSettings two_parameters(std::uint64_t iterations) {
    SpsaSettings settings;
    settings.parameters = {{"a", 20, 0, 100, 5, 0.02}, {"b", 80, 0, 100, 5, 0.02}};
    settings.iterations = iterations;
    return settings;
}

TEST(Spsa, TriesOppositeMovesWithinTheRange) {
    const Spsa spsa(two_parameters(1000));
    std::map<std::pair<int, int>, int> directions;
    for (std::uint64_t i = 0; i < 400; ++i) {
        const Spsa::Trial trial = spsa.trial(i);
        ++directions[{trial.direction[0], trial.direction[1]}];
        for (std::size_t p = 0; p < 2; ++p) {
            EXPECT_GE(trial.minus[p], 0);
            EXPECT_LE(trial.plus[p], 100);
            EXPECT_GT((trial.plus[p] - trial.minus[p]) * trial.direction[p], 0);
        }
    }
    EXPECT_EQ(directions.size(), 4U) << "all combinations";
    for (const auto& [direction, count] : directions)
        EXPECT_NEAR(count, 100, 40);
}

TEST(Spsa, RepeatsItsTrialsForTheSameSeed) {
    const Spsa one(two_parameters(100));
    const Spsa two(two_parameters(100));
    SpsaSettings other = two_parameters(100);
    other.seed = 2;
    int differ = 0;
    for (std::uint64_t i = 0; i < 50; ++i) {
        EXPECT_EQ(one.trial(i).plus, two.trial(i).plus);
        EXPECT_EQ(one.trial(i).minus, two.trial(i).minus);
        differ += one.trial(i).direction != Spsa(other).trial(i).direction ? 1 : 0;
    }
    EXPECT_GT(differ, 10);
}

TEST(Spsa, FindsTheTopOfAHillThroughNoisyGames) {
    // Strength falls with the square of the distance from (60, 40): one Elo for ten units.
    const auto elo = [](const std::vector<int>& v) {
        return -0.01 * ((v[0] - 60.0) * (v[0] - 60.0) + (v[1] - 40.0) * (v[1] - 40.0));
    };
    Spsa spsa(two_parameters(20'000));
    base::Random random(3);
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const Spsa::Trial trial = spsa.trial(i);
        const double chance = report::score_from_elo(elo(trial.plus) - elo(trial.minus));
        double points = 0;
        for (int game = 0; game < 2; ++game)
            points += random.chance(chance) ? 1 : -1;
        spsa.learn(trial, points);
    }
    EXPECT_NEAR(spsa.values()[0], 60, 15);
    EXPECT_NEAR(spsa.values()[1], 40, 15);
}

TEST(Spsa, StaysWhereResultsAreEven) {
    Spsa spsa(two_parameters(100));
    for (std::uint64_t i = 0; i < 100; ++i)
        spsa.learn(spsa.trial(i), 0);
    EXPECT_EQ(spsa.values(), (std::vector<double>{20, 80}));
}

TEST(Spsa, NeverLeavesTheRange) {
    SpsaSettings settings = two_parameters(200);
    settings.parameters[0].rate = 100;
    Spsa spsa(settings);
    for (std::uint64_t i = 0; i < 200; ++i) {
        const Spsa::Trial trial = spsa.trial(i);
        spsa.learn(trial, 2.0 * trial.direction[0]);
        EXPECT_GE(spsa.values()[0], 0);
        EXPECT_LE(spsa.values()[0], 100);
    }
    EXPECT_EQ(spsa.values()[0], 100) << "up was always better";
}

TEST(TuneParameter, IsCheckedBeforeGamesAreWasted) {
    EXPECT_TRUE((TuneParameter{"a", 1, 0, 2, 1, 0.02}.check().ok()));
    EXPECT_FALSE((TuneParameter{"a", 3, 0, 2, 1, 0.02}.check().ok()));
    EXPECT_FALSE((TuneParameter{"a", 1, 2, 0, 1, 0.02}.check().ok()));
    EXPECT_FALSE((TuneParameter{"a", 1, 0, 2, 0, 0.02}.check().ok()));
}

}  // namespace
}  // namespace tsumugi::arena
