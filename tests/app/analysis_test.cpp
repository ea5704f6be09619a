// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analysis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/kif.hpp"
#include "support/position.hpp"
#include "think/win_rate.hpp"

namespace tsumugi::app {
namespace {

using testing::HasSubstr;
using testing::Not;

record::Game game_of(std::initializer_list<const char*> moves) {
    record::Game game;
    std::size_t last = record::Game::root();
    for (const char* move : moves) {
        record::Node node;
        node.move = test::usi(move);
        last = game.add(last, std::move(node));
    }
    return game;
}

Finding finding(int value, const char* best, think::Score::Kind kind = think::Score::Kind::centipawns) {
    return {{kind, value, think::Score::Bound::exact}, 10, 1000, {test::usi(best)}};
}

TEST(Analysis, FollowsTheMainLineAsFarAsItIsLegal) {
    EXPECT_EQ(positions_of(game_of({"7g7f", "3c3d", "8h2b+"}))->size(), 4U);
    EXPECT_EQ(positions_of(game_of({"7g7f", "7g7f", "3c3d"}))->size(), 2U);
}

TEST(Analysis, GradesMovesByTheChancesTheyGiveAway) {
    const record::Game game = game_of({"7g7f", "3c3d", "2g2f"});
    const auto positions = *positions_of(game);
    // Black stands well and gives it away; White finds the engine's move; Black's next costs a little.
    const std::vector<Finding> findings{finding(600, "2g2f"), finding(600, "3c3d"), finding(-600, "6g6f"),
                                        finding(700, "8c8d")};
    const auto verdicts = judge(positions, findings);
    ASSERT_EQ(verdicts.size(), 3U);
    EXPECT_EQ(verdicts[0].grade, Grade::mistake);
    const think::Score well{think::Score::Kind::centipawns, 600, think::Score::Bound::exact};
    EXPECT_NEAR(verdicts[0].loss(), 2 * think::win_rate(well) - 1, 1e-9);
    EXPECT_EQ(verdicts[1].grade, Grade::good) << "the engine's own move";
    EXPECT_EQ(verdicts[2].grade, Grade::good);
    const auto players = summarize(verdicts);
    EXPECT_EQ(players[0].moves, 2U);
    EXPECT_EQ(players[0].best, 0U);
    EXPECT_EQ(players[1].best, 1U);
    EXPECT_EQ(players[0].count[static_cast<std::size_t>(Grade::mistake)], 1U);
    EXPECT_EQ(grade_of(0.049), Grade::good);
    EXPECT_EQ(grade_of(0.05), Grade::inaccuracy);
    EXPECT_EQ(grade_of(0.1), Grade::dubious);
    EXPECT_EQ(grade_of(0.5), Grade::blunder);
}

TEST(Analysis, WritesScoresForBlackAndKeepsOtherComments) {
    record::Game game = game_of({"7g7f", "3c3d"});
    game.node(game.main_line()[0]).comment = "good move\n#評価値=9999\n#エンジン=old";
    const auto positions = *positions_of(game);
    const std::vector<Finding> findings{finding(600, "2g2f"), finding(600, "3c3d"),
                                        finding(5, "2g2f", think::Score::Kind::mate)};
    annotate(game, positions, findings, judge(positions, findings), "Tester");
    const std::string first = game.node(game.main_line()[0]).comment;
    EXPECT_THAT(first, HasSubstr("good move\n#判定=悪手"));
    EXPECT_THAT(first, HasSubstr("#評価値=-600\n#読み筋=△３四歩\n#深さ=10\n#ノード数=1000\n#エンジン=Tester"));
    EXPECT_THAT(first, Not(HasSubstr("9999")));
    EXPECT_THAT(first, HasSubstr("最善は▲２六歩"));
    EXPECT_THAT(game.node(game.main_line()[1]).comment, HasSubstr("#詰み=先手勝ち:5手"));
    EXPECT_THAT(game.node(record::Game::root()).comment, HasSubstr("#評価値=600"));
    // Twice is the same as once, and the record can be read again.
    const record::Game once = game;
    annotate(game, positions, findings, judge(positions, findings), "Tester");
    EXPECT_EQ(game, once);
    const auto back = record::parse_kif(record::to_kif(game));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(back->node(back->main_line()[0]).comment, first);
}

}  // namespace
}  // namespace tsumugi::app
