// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/sprt.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/random.hpp"

namespace tsumugi::report {
namespace {

Sprt make(Sprt::Model model, double elo0, double elo1) {
    return *Sprt::create({.model = model, .elo0 = elo0, .elo1 = elo1});
}

WinDrawLoss games(std::uint64_t wins, std::uint64_t losses, std::uint64_t draws) {
    return {.wins = wins, .draws = draws, .losses = losses};
}

TEST(Sprt, HasWaldsLimits) {
    const Sprt sprt = make(Sprt::Model::logistic, 0, 5);
    EXPECT_NEAR(sprt.upper(), 2.9444389791664403, 1e-12) << "ln 19";
    EXPECT_NEAR(sprt.lower(), -2.9444389791664403, 1e-12);
    const Sprt skewed = *Sprt::create({.alpha = 0.01, .beta = 0.2});
    EXPECT_NEAR(skewed.upper(), std::log(80), 1e-12);
    EXPECT_NEAR(skewed.lower(), std::log(0.2 / 0.99), 1e-12);
}

// The ratios below are published by the authors of match tools for these results, to two decimals.
TEST(Sprt, AgreesWithPublishedTrinomialRatios) {
    const Sprt gain = make(Sprt::Model::normalized, 0, 2);
    EXPECT_NEAR(gain.llr(games(36433, 36027, 68692)), 0.92, 0.01);
    const Sprt no_loss = make(Sprt::Model::normalized, -1.75, 0.25);
    EXPECT_NEAR(no_loss.llr(games(10871, 10650, 20431)), 2.30, 0.01);
    const Sprt logistic = make(Sprt::Model::logistic, 0.5, 2.5);
    EXPECT_NEAR(logistic.llr(games(21404, 21184, 40708)), -1.57, 0.01);
    EXPECT_NEAR(make(Sprt::Model::logistic, 0, 2).llr(games(57433, 57030, 106593)), -2.59, 0.01);
}

TEST(Sprt, AgreesWithPublishedPentanomialRatios) {
    const Sprt gain = make(Sprt::Model::normalized, 0, 2);
    EXPECT_NEAR(gain.llr(Pentanomial{{365, 16618, 36229, 16974, 390}}), 2.25, 0.01);
    const Sprt no_loss = make(Sprt::Model::normalized, -1.75, 0.25);
    EXPECT_NEAR(no_loss.llr(Pentanomial{{127, 4883, 10712, 5150, 104}}), 3.01, 0.01);
    EXPECT_NEAR(make(Sprt::Model::logistic, 0.5, 2.5).llr(Pentanomial{{223, 9863, 21279, 10037, 246}}), -3.07, 0.01);
    EXPECT_NEAR(make(Sprt::Model::logistic, 0, 2).llr(Pentanomial{{871, 26175, 55983, 26678, 821}}), -4.98, 0.02);
}

// An independent way to the same number: for three results, the distributions of a given strength form a curve
// with the share of draws as parameter, and the most likely one is found by searching along it.
double best_log_likelihood(const WinDrawLoss& results, double t) {
    const auto wins_for = [t](double draws) {
        // Bisection on the share of wins until the mean exceeds 1/2 by t deviations.
        double low = 0;
        double high = 1 - draws;
        for (int i = 0; i < 200; ++i) {
            const double wins = (low + high) / 2;
            const double lead = wins + draws / 2 - 0.5;
            const double square = wins + draws / 4 - (wins + draws / 2) * (wins + draws / 2);
            (lead < t * std::sqrt(std::max(square, 0.0)) ? low : high) = wins;
        }
        return low;
    };
    const auto likelihood = [&](double draws) {
        const double wins = wins_for(draws);
        return static_cast<double>(results.wins) * std::log(wins) +
               static_cast<double>(results.draws) * std::log(draws) +
               static_cast<double>(results.losses) * std::log(1 - wins - draws);
    };
    double low = 1e-6;
    double high = 1 - 1e-6;
    while (high - low > 1e-9) {
        const double left = low + (high - low) / 3;
        const double right = high - (high - low) / 3;
        (likelihood(left) < likelihood(right) ? low : high) = likelihood(left) < likelihood(right) ? left : right;
    }
    return likelihood((low + high) / 2);
}

TEST(Sprt, MaximisesTheLikelihoodUnderNormalizedHypotheses) {
    base::Random random(5);
    for (int round = 0; round < 20; ++round) {
        const WinDrawLoss results = games(20 + random.below(300), 20 + random.below(300), 20 + random.below(300));
        const double elo0 = random.uniform() * 100 - 100;
        const double elo1 = random.uniform() * 100 + 1;
        const double expected = best_log_likelihood(results, elo1 / normalized_elo_scale) -
                                best_log_likelihood(results, elo0 / normalized_elo_scale);
        EXPECT_NEAR(make(Sprt::Model::normalized, elo0, elo1).llr(results), expected, 1e-5 * (1 + std::abs(expected)));
    }
}

TEST(Sprt, StaysExactWhereResultsHaveNoSpread) {
    const Sprt sprt = make(Sprt::Model::normalized, 0, 5);
    // A search over all deviations, each with its own two constraints on mean and square, ends at 2.0949545.
    EXPECT_NEAR(sprt.llr(Pentanomial{{0, 0, 0, 0, 104}}), 2.0949545, 1e-5);
    // A lead of t deviations needs decisive games with a share of t^2 at least, so draws alone speak against it.
    const double t = 5 / normalized_elo_scale;
    EXPECT_NEAR(sprt.llr(games(0, 0, 16700)), 16700 * std::log(1 - t * t), 0.02);
}

TEST(Sprt, IsAntisymmetricInTheTwoSides) {
    const Pentanomial pairs{{10, 20, 50, 30, 5}};
    const Pentanomial swapped{{5, 30, 50, 20, 10}};
    for (const auto model : {Sprt::Model::logistic, Sprt::Model::normalized})
        EXPECT_NEAR(make(model, -3, 7).llr(pairs), -make(model, -7, 3).llr(swapped), 1e-9);
}

TEST(Sprt, KnowsNothingBeforeTheFirstResult) {
    for (const auto model : {Sprt::Model::logistic, Sprt::Model::normalized}) {
        const Sprt sprt = make(model, 0, 5);
        EXPECT_EQ(sprt.llr(WinDrawLoss{}), 0);
        EXPECT_EQ(sprt.state(Pentanomial{}), Sprt::State::undecided);
    }
}

TEST(Sprt, MovesTowardsTheWinnerEvenWhenAllResultsAreEqual) {
    for (const auto model : {Sprt::Model::logistic, Sprt::Model::normalized}) {
        const Sprt sprt = make(model, 0, 5);
        EXPECT_GT(sprt.llr(games(50, 0, 0)), 0);
        EXPECT_LT(sprt.llr(games(0, 50, 0)), 0);
        EXPECT_TRUE(std::isfinite(sprt.llr(games(0, 0, 16700))));
        EXPECT_EQ(sprt.state(Pentanomial{{0, 0, 0, 0, 5000}}), Sprt::State::accept_h1);
    }
}

TEST(Sprt, DescribesItself) {
    const Sprt sprt = make(Sprt::Model::logistic, 0, 5);
    EXPECT_EQ(sprt.describe(WinDrawLoss{}), "LLR 0.00 (-2.94, 2.94) [0.00, 5.00] undecided");
}

TEST(Sprt, RefusesSenselessBounds) {
    EXPECT_FALSE(Sprt::create({.elo0 = 5, .elo1 = 5}));
    EXPECT_FALSE(Sprt::create({.elo0 = 5, .elo1 = 0}));
    EXPECT_FALSE(Sprt::create({.elo0 = 0, .elo1 = 1000}));
    EXPECT_FALSE(Sprt::create({.alpha = 0}));
    EXPECT_FALSE(Sprt::create({.alpha = 0.6, .beta = 0.6}));
    EXPECT_FALSE(Sprt::create({.alpha = std::nan("")}));
}

// The share of matches that end with H1 when a game is won, drawn and lost with the given chances.
double share_of_h1(const Sprt& sprt, double win, double draw, std::uint64_t seed) {
    base::Random random(seed);
    int accepted = 0;
    const int matches = 2000;
    for (int match = 0; match < matches; ++match) {
        WinDrawLoss results;
        Sprt::State state = Sprt::State::undecided;
        while (state == Sprt::State::undecided) {
            for (int game = 0; game < 4; ++game) {
                const double x = random.uniform();
                ++(x < win ? results.wins : x < win + draw ? results.draws : results.losses);
            }
            state = sprt.state(results);
        }
        accepted += state == Sprt::State::accept_h1;
    }
    return accepted / static_cast<double>(matches);
}

TEST(Sprt, ErrsAsOftenAsPromisedInSimulatedMatches) {
    // Bounds far apart make the matches short (some hundred games); overshoot makes the errors a little rarer.
    const Sprt sprt = make(Sprt::Model::logistic, 0, 60);
    const double draw = 0.3;
    const double weak_win = 0.5 - draw / 2;
    const double strong_win = score_from_elo(60) - draw / 2;
    const double false_alarm = share_of_h1(sprt, weak_win, draw, 1);
    EXPECT_GT(false_alarm, 0.02);
    EXPECT_LT(false_alarm, 0.065);
    const double missed = 1 - share_of_h1(sprt, strong_win, draw, 2);
    EXPECT_GT(missed, 0.02);
    EXPECT_LT(missed, 0.065);
}

TEST(Sprt, ErrsAsOftenAsPromisedWithNormalizedElo) {
    const Sprt sprt = make(Sprt::Model::normalized, 0, 70);
    const double false_alarm = share_of_h1(sprt, 0.2, 0.6, 3);
    EXPECT_GT(false_alarm, 0.02);
    EXPECT_LT(false_alarm, 0.065);
}

}  // namespace
}  // namespace tsumugi::report
