// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/referee.hpp"

#include <gtest/gtest.h>

#include "support/position.hpp"

namespace tsumugi::arena {
namespace {

using shogi::Color;
using test::position;
using test::usi;

shogi::Position after(std::string_view sfen, std::initializer_list<std::string_view> moves) {
    shogi::Position result = position(sfen);
    for (const std::string_view move : moves) {
        EXPECT_TRUE(result.is_legal(usi(move))) << move;
        result.do_move(usi(move));
    }
    return result;
}

TEST(Referee, LetsTheGameGoOnAtTheStart) { EXPECT_FALSE(judge(shogi::Position::even(), {}).has_value()); }

TEST(Referee, SeesMate) {
    const auto verdict = judge(position("4k4/9/9/9/9/9/3+r5/4g4/4K4 b - 1"), {});
    ASSERT_TRUE(verdict.has_value());
    EXPECT_EQ(verdict->reason, Reason::checkmate);
    EXPECT_EQ(verdict->winner, Color::white);
}

TEST(Referee, CallsADrawAtTheFourthOccurrence) {
    const auto dance = {"2h3h", "8b7b", "3h2h", "7b8b"};
    shogi::Position game = shogi::Position::even();
    for (int round = 0; round < 3; ++round)
        for (const std::string_view move : dance) {
            EXPECT_FALSE(judge(game, {}).has_value());
            game.do_move(usi(move));
        }
    const auto verdict = judge(game, {});
    ASSERT_TRUE(verdict.has_value());
    EXPECT_EQ(verdict->reason, Reason::repetition);
    EXPECT_FALSE(verdict->winner.has_value());
}

TEST(Referee, LetsThePlayerOfPerpetualCheckLose) {
    // The rook checks from two files in turn, the king steps aside.
    shogi::Position game = position("4k4/9/9/9/9/9/9/9/K4R3 b - 1");
    std::optional<Verdict> verdict;
    for (int round = 0; round < 4 && !verdict; ++round)
        for (const std::string_view move : {"4i5i", "5a4a", "5i4i", "4a5a"}) {
            game.do_move(usi(move));
            verdict = judge(game, {});
            if (verdict) break;
        }
    ASSERT_TRUE(verdict.has_value());
    EXPECT_EQ(verdict->reason, Reason::perpetual_check);
    EXPECT_EQ(verdict->winner, Color::white);
}

TEST(Referee, CountsMovesFromTheNumberInTheSfen) {
    const Rules rules{shogi::EnteringKingRule::points27, 100};
    EXPECT_FALSE(judge(position("4k4/9/9/9/9/9/9/9/4K4 b G 100"), rules).has_value());
    const auto verdict = judge(position("4k4/9/9/9/9/9/9/9/4K4 b G 101"), rules);
    ASSERT_TRUE(verdict.has_value());
    EXPECT_EQ(verdict->reason, Reason::max_moves);
    EXPECT_FALSE(verdict->winner.has_value());
    EXPECT_FALSE(judge(position("4k4/9/9/9/9/9/9/9/4K4 b G 101"), {rules.declaration, 0}).has_value());
}

TEST(Referee, CountsMateOnTheLastMoveAsMate) {
    const auto verdict = judge(position("4k4/9/9/9/9/9/3+r5/4g4/4K4 b - 321"), {});
    ASSERT_TRUE(verdict.has_value());
    EXPECT_EQ(verdict->reason, Reason::checkmate);
}

TEST(Referee, AcceptsARightDeclarationAndPunishesAWrongOne) {
    const auto right = position("K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b 2L8Pb4p 1");
    EXPECT_EQ(judge_declaration(right, {}).winner, Color::black);
    EXPECT_EQ(judge_declaration(right, {}).reason, Reason::declaration);
    const auto wrong = position("K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b 2L7Pb5p 1");
    EXPECT_EQ(judge_declaration(wrong, {}).winner, Color::white);
    EXPECT_EQ(judge_declaration(wrong, {}).reason, Reason::wrong_declaration);
    const Rules none{shogi::EnteringKingRule::none, 0};
    EXPECT_EQ(judge_declaration(right, none).winner, Color::white);
}

TEST(Referee, LetsAKingThatReachesTheGoalWinUnderTheTryRule) {
    const Rules rules{shogi::EnteringKingRule::try_rule, 0};
    const auto arrived = after("9/4K4/9/9/9/9/k8/9/9 b - 1", {"5b5a"});
    const auto verdict = judge(arrived, rules);
    ASSERT_TRUE(verdict.has_value());
    EXPECT_EQ(verdict->reason, Reason::try_rule);
    EXPECT_EQ(verdict->winner, Color::black);
    EXPECT_FALSE(judge(arrived, {}).has_value());
    // Standing there is no arrival.
    EXPECT_FALSE(judge(after("4K4/9/9/9/9/9/k8/9/9 b P 1", {"P*5e"}), rules).has_value());
}

TEST(Referee, KnowsItsRulesByName) {
    for (const std::string_view rule : {"27", "24", "27-handicap", "24-handicap", "try", "none"})
        EXPECT_EQ(name(*parse_declaration_rule(rule)), rule);
    EXPECT_FALSE(parse_declaration_rule("28").ok());
}

TEST(Verdict, KnowsEveryReasonByName) {
    for (int i = 0; i <= static_cast<int>(Reason::interrupted); ++i) {
        const auto reason = static_cast<Reason>(i);
        EXPECT_EQ(*find_reason(name(reason)), reason);
    }
    EXPECT_FALSE(find_reason("boredom").ok());
}

}  // namespace
}  // namespace tsumugi::arena
