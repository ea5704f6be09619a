// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/elo.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tsumugi::report {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Elo, FollowsTheLogisticCurve) {
    EXPECT_DOUBLE_EQ(elo_from_score(0.5), 0);
    EXPECT_NEAR(elo_from_score(0.75), 190.848501887865, 1e-9);
    EXPECT_NEAR(elo_from_score(10.0 / 11), 400, 1e-9);
    EXPECT_DOUBLE_EQ(elo_from_score(1), infinity);
    EXPECT_DOUBLE_EQ(elo_from_score(0), -infinity);
    EXPECT_DOUBLE_EQ(score_from_elo(infinity), 1);
    for (double elo = -600; elo <= 600; elo += 50) {
        EXPECT_NEAR(elo_from_score(score_from_elo(elo)), elo, 1e-9);
        EXPECT_NEAR(score_from_elo(elo) + score_from_elo(-elo), 1, 1e-15);
    }
}

TEST(ScoreSample, CountsGamesAndPairsOnOneScale) {
    const ScoreSample games(WinDrawLoss{.wins = 3, .draws = 2, .losses = 1});
    EXPECT_DOUBLE_EQ(games.mean(), 4.0 / 6);
    const ScoreSample pairs(Pentanomial{{1, 0, 0, 2, 1}});
    EXPECT_DOUBLE_EQ(pairs.mean(), (0 + 2 * 0.75 + 1) / 4);
    EXPECT_DOUBLE_EQ(pairs.value(1), 0.25);
    EXPECT_DOUBLE_EQ(pairs.games_per_sample(), 2);
}

// The values below are published by the authors of match tools for these results.
TEST(EstimateElo, AgreesWithPublishedTrinomialValues) {
    const EloEstimate first = estimate_elo(WinDrawLoss{.wins = 136, .draws = 111, .losses = 96});
    EXPECT_NEAR(first.elo, 40.70, 0.01);
    EXPECT_NEAR((first.elo_interval.high - first.elo_interval.low) / 2, 30.43, 0.1);
    EXPECT_NEAR(first.normalized_elo, 49.77, 0.01);
    EXPECT_NEAR(first.normalized_interval.high - first.normalized_elo, 36.77, 0.01);
    EXPECT_NEAR(first.superiority, 0.9960, 5e-5);

    const EloEstimate second = estimate_elo(WinDrawLoss{.wins = 76, .draws = 123, .losses = 89});
    EXPECT_NEAR(second.normalized_elo, -20.76, 0.01);
    EXPECT_NEAR(second.superiority, 0.1553, 5e-5);
}

TEST(EstimateElo, AgreesWithPublishedPentanomialValues) {
    const EloEstimate first = estimate_elo(Pentanomial{{34, 54, 63, 64, 75}});
    EXPECT_NEAR(first.elo, 55.58, 0.01);
    EXPECT_NEAR((first.elo_interval.high - first.elo_interval.low) / 2, 27.65, 0.1);
    EXPECT_NEAR(first.normalized_elo, 57.94, 0.01);
    EXPECT_NEAR(first.normalized_interval.high - first.normalized_elo, 28.28, 0.01);

    const EloEstimate second = estimate_elo(Pentanomial{{332, 433, 498, 333, 334}});
    EXPECT_NEAR(second.elo, -8.64, 0.01);
    EXPECT_NEAR(second.normalized_elo, -9.17, 0.01);
    EXPECT_NEAR(second.superiority, 0.0505, 5e-5);
}

TEST(EstimateElo, GivesIndependentPairsTheSameIntervalAsTheirGames) {
    // Wins and losses with one half each, pairs made at random: 1/4, 1/2, 1/4.
    const EloEstimate games = estimate_elo(WinDrawLoss{.wins = 4000, .draws = 0, .losses = 4000});
    const EloEstimate pairs = estimate_elo(Pentanomial{{1000, 0, 2000, 0, 1000}});
    EXPECT_NEAR(games.elo_interval.high, pairs.elo_interval.high, 1e-9);
    EXPECT_NEAR(games.normalized_interval.high, pairs.normalized_interval.high, 1e-9);
}

TEST(EstimateElo, StaysHonestWhenAllResultsAreEqual) {
    const EloEstimate wins = estimate_elo(WinDrawLoss{.wins = 10, .draws = 0, .losses = 0});
    EXPECT_DOUBLE_EQ(wins.elo, infinity);
    EXPECT_DOUBLE_EQ(wins.elo_interval.high, infinity);
    EXPECT_NEAR(wins.elo_interval.low, elo_from_score(wilson_interval(10, 10).low), 1e-9);
    EXPECT_NEAR(wins.superiority, 2047.0 / 2048, 1e-12);
    const EloEstimate draws = estimate_elo(WinDrawLoss{.wins = 0, .draws = 10, .losses = 0});
    EXPECT_DOUBLE_EQ(draws.elo, 0);
    EXPECT_LT(draws.elo_interval.low, -100);
    EXPECT_DOUBLE_EQ(draws.superiority, 0.5);
}

TEST(EstimateElo, CoversTheTruthAsOftenAsPromised) {
    base::Random random(1);
    const double win = 0.35;
    const double draw = 0.4;
    const double truth = elo_from_score(win + draw / 2);
    int covered = 0;
    for (int round = 0; round < 2000; ++round) {
        WinDrawLoss results;
        for (int game = 0; game < 300; ++game) {
            const double x = random.uniform();
            ++(x < win ? results.wins : x < win + draw ? results.draws : results.losses);
        }
        covered += estimate_elo(results).elo_interval.contains(truth);
    }
    EXPECT_NEAR(covered / 2000.0, 0.95, 0.02);
}

}  // namespace
}  // namespace tsumugi::report
