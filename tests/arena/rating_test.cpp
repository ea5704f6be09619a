// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/rating.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace tsumugi::arena {
namespace {

using Sheets = std::map<Standing::Pairing, ScoreSheet>;

void add(Sheets& sheets, std::size_t first, std::size_t second, int wins, int draws, int losses) {
    ScoreSheet& sheet = sheets[{first, second}];
    std::uint64_t pair = 1'000'000 * (first + 1);
    const auto play = [&](int count, int half_points) {
        for (int i = 0; i < count; ++i)
            sheet.add(pair++, shogi::Color::black, half_points);
    };
    play(wins, 2);
    play(draws, 1);
    play(losses, 0);
}

TEST(Rating, OfTwoIsTheLogisticDifference) {
    Sheets sheets;
    add(sheets, 0, 1, 75, 0, 25);
    const RatingList list = rate(2, sheets);
    EXPECT_FALSE(list.padded);
    EXPECT_NEAR(list.ratings[0].elo - list.ratings[1].elo, report::elo_from_score(0.75), 1e-6);
    EXPECT_NEAR(list.ratings[0].elo, -list.ratings[1].elo, 1e-9);
    EXPECT_EQ(list.ratings[0].games, 100U);
    EXPECT_DOUBLE_EQ(list.ratings[0].points, 75);
    // The deviation of one game's score is sqrt(0.75 * 0.25); half of the difference belongs to each.
    const double slope = 400 / (std::log(10.0) * 0.75 * 0.25);
    const double error = slope * std::sqrt(0.75 * 0.25 / 100) / 2;
    EXPECT_NEAR(list.ratings[0].interval.high - list.ratings[0].elo, 1.959964 * error, 0.01);
}

TEST(Rating, SolvesTheTextbookTriangle) {
    // A beats B and B beats C by 3:1; if strengths add up, A beats C by 9:1.
    Sheets sheets;
    add(sheets, 0, 1, 30, 0, 10);
    add(sheets, 1, 2, 30, 0, 10);
    add(sheets, 0, 2, 36, 0, 4);
    const RatingList list = rate(3, sheets);
    EXPECT_NEAR(list.ratings[0].elo, 400 * std::log10(3.0), 1e-6);
    EXPECT_NEAR(list.ratings[1].elo, 0, 1e-6);
    EXPECT_NEAR(list.ratings[2].elo, -400 * std::log10(3.0), 1e-6);
}

TEST(Rating, StaysFiniteWhenSomebodyWinsEverything) {
    Sheets sheets;
    add(sheets, 0, 1, 20, 0, 0);
    const RatingList list = rate(2, sheets);
    EXPECT_TRUE(list.padded);
    EXPECT_TRUE(std::isfinite(list.ratings[0].elo));
    EXPECT_GT(list.ratings[0].elo, 100);
    EXPECT_TRUE(std::isfinite(rate(3, {}).ratings[0].elo)) << "before the first game";
}

TEST(Rating, CountsPairsThatAlwaysCancelOutAsCertain) {
    // Every opening decides its games: pairs end 1:1. Their scatter is far below that of independent games.
    ScoreSheet paired;
    for (std::uint64_t pair = 0; pair < 100; ++pair) {
        const bool even = pair % 10 != 0;
        paired.add(pair, shogi::Color::black, 2);
        paired.add(pair, shogi::Color::white, even ? 0 : static_cast<int>(pair / 10 % 2) * 2);
    }
    Sheets sheets;
    sheets[{0, 1}] = paired;
    Sheets singles;
    const auto total = paired.total();
    add(singles, 0, 1, static_cast<int>(total.wins), 0, static_cast<int>(total.losses));
    const auto width = [](const RatingList& list) {
        return list.ratings[0].interval.high - list.ratings[0].interval.low;
    };
    EXPECT_LT(width(rate(2, sheets)), 0.6 * width(rate(2, singles)));
}

// Results by chance between four engines of known strength, from openings that favour one side.
Sheets simulate(std::uint64_t pairs, base::Random& random) {
    const std::array<double, 4> strength{150, 50, -50, -150};
    Sheets sheets;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = i + 1; j < 4; ++j)
            for (std::uint64_t pair = 0; pair < pairs; ++pair) {
                const double lead = strength[i] - strength[j];
                const double edge = random.normal(0, 100);
                const auto play = [&](double elo) { return random.chance(report::score_from_elo(elo)) ? 2 : 0; };
                sheets[{i, j}].add(pair, shogi::Color::black, play(lead + edge));
                sheets[{i, j}].add(pair, shogi::Color::white, play(lead - edge));
            }
    return sheets;
}

TEST(Rating, IntervalsHoldTheTruthAsOftenAsPromised) {
    base::Random random(5);
    // Openings of different value flatten the scale a little, so the truth is what very many games would give.
    const RatingList truth = rate(4, simulate(20'000, random));
    int inside = 0;
    int all = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const RatingList list = rate(4, simulate(60, random));
        for (std::size_t i = 0; i < 4; ++i, ++all)
            inside += list.ratings[i].interval.contains(truth.ratings[i].elo) ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(inside) / all, 0.95, 0.03);
}

}  // namespace
}  // namespace tsumugi::arena
