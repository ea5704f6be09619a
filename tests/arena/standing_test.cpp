// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/standing.hpp"

#include <gtest/gtest.h>

#include "arena/schedule.hpp"
#include "base/random.hpp"

namespace tsumugi::arena {
namespace {

using report::Sprt;
using shogi::Color;

TEST(Schedule, PlaysEveryOpeningWithBothColours) {
    const Schedule schedule(2, Tournament::round_robin, 5);
    EXPECT_EQ(schedule.games(), 6U) << "rounded up to whole pairs";
    for (std::uint64_t pair = 0; pair < 3; ++pair) {
        const auto first = schedule.game(2 * pair);
        const auto second = schedule.game(2 * pair + 1);
        EXPECT_EQ(first.opening, pair);
        EXPECT_EQ(second.opening, pair);
        EXPECT_EQ(first.pair, second.pair);
        EXPECT_EQ(first.engine[0], second.engine[1]);
        EXPECT_EQ(first.engine[1], second.engine[0]);
    }
}

TEST(Schedule, LetsEverybodyMeetEverybodyOrOnlyTheFirst) {
    EXPECT_EQ(Schedule(4, Tournament::round_robin, 10).pairings().size(), 6U);
    EXPECT_EQ(Schedule(4, Tournament::round_robin, 10).games(), 60U);
    const Schedule gauntlet(4, Tournament::gauntlet, 10);
    EXPECT_EQ(gauntlet.pairings().size(), 3U);
    for (std::uint64_t i = 0; i < gauntlet.games(); ++i) {
        const auto game = gauntlet.game(i);
        EXPECT_TRUE(game.engine[0] == 0 || game.engine[1] == 0);
        EXPECT_EQ(game.opening, i / 6) << "all pairings play an opening before the next one";
    }
}

TEST(ScoreSheet, CountsGamesPairsAndColours) {
    ScoreSheet sheet;
    EXPECT_FALSE(sheet.sample().has_value());
    sheet.add(0, Color::black, 2);
    EXPECT_EQ(sheet.pairs().count(), 0U);
    sheet.add(1, Color::black, 1);
    sheet.add(0, Color::white, 2);
    sheet.add(1, Color::white, 0);
    EXPECT_EQ(sheet.total().wins, 2U);
    EXPECT_EQ(sheet.total().draws, 1U);
    EXPECT_EQ(sheet.total().losses, 1U);
    EXPECT_EQ(sheet.as(Color::black).wins, 1U);
    EXPECT_EQ(sheet.as(Color::white).losses, 1U);
    EXPECT_EQ(sheet.pairs().pairs, (std::array<std::uint64_t, 5>{0, 1, 0, 0, 1}));
}

TEST(Standing, SeesGamesFromTheFirstEngine) {
    Standing standing(std::nullopt);
    standing.add({0, {0, 1}, 2});
    standing.add({0, {1, 0}, 2});
    standing.add({1, {1, 0}, 0});
    ASSERT_EQ(standing.sheets().size(), 1U);
    const ScoreSheet& sheet = standing.sheets().begin()->second;
    EXPECT_EQ(sheet.total().wins, 2U);
    EXPECT_EQ(sheet.total().losses, 1U);
    EXPECT_EQ(sheet.as(Color::white).wins, 1U);
    EXPECT_EQ(standing.games(), 3U);
}

// Pairs whose opening favours one colour, as shogi's do: the games of a pair depend on each other.
class SimulatedMatch {
public:
    SimulatedMatch(double elo, std::uint64_t seed) : elo_(elo), random_(seed) {}

    Sprt::State play(const Sprt& sprt, std::uint64_t most_pairs) {
        Standing standing(sprt);
        for (std::uint64_t pair = 0; pair < most_pairs; ++pair) {
            play_pair(standing, pair);
            if (standing.decision() != Sprt::State::undecided) break;
        }
        return standing.decision();
    }

    double score(std::uint64_t pairs) {
        Standing standing(std::nullopt);
        for (std::uint64_t pair = 0; pair < pairs; ++pair)
            play_pair(standing, pair);
        return standing.sheets().begin()->second.sample()->mean();
    }

private:
    void play_pair(Standing& standing, std::uint64_t pair) {
        const double edge = random_.normal(40, 120);  // of Black in this opening
        standing.add({pair, {0, 1}, half_points(elo_ + edge)});
        standing.add({pair, {1, 0}, half_points(-elo_ + edge)});
    }

    int half_points(double black_lead) {
        if (random_.chance(0.05)) return 1;
        return random_.chance(report::score_from_elo(black_lead)) ? 2 : 0;
    }

    double elo_;
    base::Random random_;
};

// The Elo difference that very many games would show: draws and openings that decide flatten the scale.
double visible_elo(double elo) { return report::elo_from_score(SimulatedMatch(elo, 99).score(200'000)); }

// The share of simulated matches in which H1 is accepted, of those that were decided.
double acceptance(double elo, const Sprt& sprt, int matches) {
    int accepted = 0;
    int decided = 0;
    for (int i = 0; i < matches; ++i) {
        SimulatedMatch match(elo, static_cast<std::uint64_t>(i) + 1);
        const Sprt::State state = match.play(sprt, 100'000);
        decided += state != Sprt::State::undecided ? 1 : 0;
        accepted += state == Sprt::State::accept_h1 ? 1 : 0;
    }
    EXPECT_EQ(decided, matches);
    return static_cast<double>(accepted) / matches;
}

TEST(Standing, ErrsInSimulatedMatchesNoMoreThanTheTestPromises) {
    Sprt::Bounds bounds;
    bounds.model = Sprt::Model::logistic;
    bounds.elo0 = 0;
    bounds.elo1 = visible_elo(40);
    const Sprt sprt = *Sprt::create(bounds);
    // Three standard deviations of 1500 trials at 5 % are 1.7 %.
    EXPECT_LT(acceptance(0, sprt, 1500), 0.05 + 0.017);
    EXPECT_GT(acceptance(40, sprt, 1500), 0.95 - 0.017);
}

TEST(Standing, KeepsTheDecisionWhenLaterGamesContradict) {
    Sprt::Bounds bounds;
    bounds.model = Sprt::Model::logistic;
    bounds.elo1 = 200;
    Standing standing(*Sprt::create(bounds));
    std::uint64_t pair = 0;
    while (standing.decision() == Sprt::State::undecided && pair < 1000) {
        standing.add({pair, {0, 1}, 2});
        standing.add({pair, {1, 0}, static_cast<int>(pair % 2)});
        ++pair;
    }
    EXPECT_EQ(standing.decision(), Sprt::State::accept_h1);
    for (int i = 0; i < 50; ++i) {
        standing.add({pair, {0, 1}, 0});
        standing.add({pair++, {1, 0}, 2});
    }
    EXPECT_EQ(standing.decision(), Sprt::State::accept_h1);
    EXPECT_LT(standing.llr_course().back(), 0);
}

}  // namespace
}  // namespace tsumugi::arena
