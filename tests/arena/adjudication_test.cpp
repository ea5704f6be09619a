// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/adjudication.hpp"

#include <gtest/gtest.h>

namespace tsumugi::arena {
namespace {

using shogi::Color;
using think::Score;

Score centipawns(int value) { return {Score::Kind::centipawns, value, Score::Bound::exact}; }
Score mate(int plies) { return {Score::Kind::mate, plies, Score::Bound::exact}; }

// Plays out scores of both sides in turn, Black first; the number of moves after which the game was ended, or 0.
struct Course {
    int moves = 0;
    std::optional<Verdict> verdict;
};
Course run(const AdjudicationSettings& settings, const std::vector<std::optional<Score>>& scores, int first_move = 1) {
    Adjudicator adjudicator(settings);
    Course course;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const Color mover = i % 2 == 0 ? Color::black : Color::white;
        course.verdict = adjudicator.after_move(mover, scores[i], first_move + static_cast<int>(i));
        course.moves = static_cast<int>(i) + 1;
        if (course.verdict) return course;
    }
    return course;
}

TEST(Adjudication, DoesNothingUnlessAsked) {
    const std::vector<std::optional<Score>> scores(100, centipawns(0));
    EXPECT_FALSE(run({}, scores, 400).verdict.has_value());
}

TEST(Adjudication, ResignsOnlyWhenBothAgreeLongEnough) {
    AdjudicationSettings settings;
    settings.resign = {1000, 2};
    const auto up = centipawns(1200);
    const auto down = centipawns(-1200);
    const Course agreed = run(settings, {up, down, up, down, up});
    ASSERT_TRUE(agreed.verdict.has_value());
    EXPECT_EQ(agreed.moves, 5) << "when the loser is to move";
    EXPECT_EQ(agreed.verdict->winner, Color::black);
    EXPECT_EQ(agreed.verdict->reason, Reason::adjudicated_resign);
    EXPECT_FALSE(run(settings, {up, centipawns(-900), up, centipawns(-900), up, centipawns(-900)}).verdict.has_value());
    EXPECT_FALSE(run(settings, {up, down, centipawns(900), down, up, down}).verdict.has_value()) << "the row is broken";
    EXPECT_FALSE(run(settings, {up, down, std::nullopt, down, up, down}).verdict.has_value()) << "by silence too";
    const Course by_mate = run(settings, {mate(-4), mate(3), mate(-2), mate(1)});
    ASSERT_TRUE(by_mate.verdict.has_value());
    EXPECT_EQ(by_mate.verdict->winner, Color::white);
}

TEST(Adjudication, DrawsOnlyFromTheGivenMove) {
    AdjudicationSettings settings;
    settings.draw = {10, 3, 100};
    const std::vector<std::optional<Score>> level(20, centipawns(-8));
    EXPECT_FALSE(run(settings, level, 70).verdict.has_value());
    const Course drawn = run(settings, level, 90);
    ASSERT_TRUE(drawn.verdict.has_value());
    EXPECT_EQ(drawn.moves, 11);
    EXPECT_FALSE(drawn.verdict->winner.has_value());
    EXPECT_EQ(run(settings, level, 200).moves, 6);
    EXPECT_FALSE(run(settings, std::vector<std::optional<Score>>(20, mate(5)), 200).verdict.has_value());
}

TEST(Adjudication, EndsAtAMateThatBothAnnounce) {
    AdjudicationSettings settings;
    settings.mate = {1};
    EXPECT_FALSE(run(settings, {mate(5), centipawns(-3000), mate(3), centipawns(-3000)}).verdict.has_value());
    EXPECT_FALSE(run(settings, {mate(5), mate(4)}).verdict.has_value()) << "both cannot be right";
    const Course course = run(settings, {mate(5), mate(-4), mate(3)});
    ASSERT_TRUE(course.verdict.has_value());
    EXPECT_EQ(course.verdict->winner, Color::black);
    EXPECT_EQ(course.verdict->reason, Reason::adjudicated_mate);
}

}  // namespace
}  // namespace tsumugi::arena
