// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/skill.hpp"

#include <gtest/gtest.h>

namespace tsumugi::engine {
namespace {

think::Line line_of(int value, think::Score::Kind kind = think::Score::Kind::centipawns) {
    think::Line line;
    line.score = {kind, value, think::Score::Bound::exact};
    return line;
}

double mean_choice(double level, const std::vector<think::Line>& lines) {
    base::Random random(1);
    double sum = 0;
    for (int i = 0; i < 2000; ++i)
        sum += static_cast<double>(choose(lines, Skill::of_level(level), random));
    return sum / 2000;
}

TEST(Skill, GrowsWithTheLevel) {
    for (double level = 0; level < 19; level += 0.5) {
        const Skill low = Skill::of_level(level);
        const Skill high = Skill::of_level(level + 0.5);
        EXPECT_LT(low.nodes, high.nodes);
        EXPECT_GE(low.candidates, high.candidates);
        EXPECT_GT(low.sigma, high.sigma);
        EXPECT_GT(low.temperature, high.temperature);
        EXPECT_GT(low.greatest_loss, high.greatest_loss);
    }
}

TEST(Skill, ErrsMoreOftenAtLowerLevels) {
    const std::vector<think::Line> lines{line_of(50), line_of(20), line_of(-10), line_of(-60)};
    const double beginner = mean_choice(0, lines);
    const double club_player = mean_choice(10, lines);
    const double expert = mean_choice(19, lines);
    EXPECT_GT(beginner, club_player);
    EXPECT_GT(club_player, expert);
    EXPECT_GT(expert, 0);
}

TEST(Skill, NeverThrowsTheGameAway) {
    const std::vector<think::Line> lines{line_of(0), line_of(-3000), line_of(-5, think::Score::Kind::mate)};
    EXPECT_EQ(mean_choice(0, lines), 0);
    EXPECT_EQ(mean_choice(0, {line_of(3, think::Score::Kind::mate), line_of(300)}), 0);
}

TEST(Skill, TakesTheFirstOfOneLine) { EXPECT_EQ(mean_choice(0, {line_of(-9999)}), 0); }

}  // namespace
}  // namespace tsumugi::engine
