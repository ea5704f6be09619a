// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/rule.hpp"

#include <map>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/sfen.hpp"
#include "support/position.hpp"

namespace tsumugi::ensemble {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

struct Row {
    const char* rule;
    std::vector<Ballot> ballots;
    std::set<std::string> expected;  // the moves that may be played; all of them must be now and then
};

Ballot vote(std::size_t player, const char* move, double win_rate = 0.5, double weight = 1) {
    return {player, test::usi(move), win_rate, weight};
}

std::unique_ptr<Rule> rule(std::string_view name, std::size_t players = 3) { return *make_rule(name, {}, players); }

Poll poll_of(std::vector<Ballot> ballots, std::size_t players = 3) {
    Poll poll;
    poll.players = players;
    poll.ballots = std::move(ballots);
    return poll;
}

std::map<std::string, int> decisions(const Rule& rule, const Poll& poll, int times = 300) {
    base::Random random(7);
    std::map<std::string, int> counts;
    for (int i = 0; i < times; ++i)
        ++counts[record::to_usi(rule.decide(poll, random))];
    return counts;
}

TEST(Rule, DecidesAsDefined) {
    const std::vector<Row> rows{
        // Simple majority, at random among the most voted.
        {"majority", {vote(0, "7g7f"), vote(1, "2g2f"), vote(2, "2g2f")}, {"2g2f"}},
        {"majority", {vote(0, "7g7f"), vote(1, "2g2f"), vote(2, "5g5f")}, {"7g7f", "2g2f", "5g5f"}},
        {"majority",
         {vote(0, "7g7f"), vote(1, "2g2f"), vote(2, "2g2f"), vote(3, "7g7f"), vote(4, "5g5f")},
         {"7g7f", "2g2f"}},
        {"majority", {vote(1, "2g2f")}, {"2g2f"}},
        // The leader has its way when all differ, and where it is among the most voted.
        {"leader", {vote(0, "7g7f"), vote(1, "2g2f"), vote(2, "5g5f")}, {"7g7f"}},
        {"leader", {vote(0, "7g7f"), vote(1, "2g2f"), vote(2, "2g2f")}, {"2g2f"}},
        {"leader", {vote(1, "2g2f"), vote(2, "5g5f")}, {"2g2f"}},
        {"leader", {vote(0, "9g9f"), vote(1, "2g2f"), vote(2, "5g5f"), vote(3, "5g5f"), vote(4, "2g2f")}, {"2g2f"}},
        // Weights decide where the heads would not.
        {"weighted", {vote(0, "7g7f", 0.5, 3), vote(1, "2g2f", 0.5, 1), vote(2, "2g2f", 0.5, 1)}, {"7g7f"}},
        {"weighted", {vote(0, "7g7f", 0.5, 2), vote(1, "2g2f", 0.5, 1), vote(2, "2g2f", 0.5, 1.5)}, {"2g2f"}},
        {"weighted",
         {vote(0, "7g7f", 0.5, 0.3), vote(1, "2g2f", 0.5, 0.1), vote(2, "2g2f", 0.5, 0.2)},
         {"7g7f", "2g2f"}},
        // The highest and the lowest win rate.
        {"optimistic", {vote(0, "7g7f", 0.4), vote(1, "2g2f", 0.7), vote(2, "7g7f", 0.5)}, {"2g2f"}},
        {"optimistic", {vote(0, "7g7f", 0.7), vote(1, "2g2f", 0.7)}, {"7g7f"}},
        {"pessimistic", {vote(0, "7g7f", 0.6), vote(1, "2g2f", 0.3), vote(2, "7g7f", 0.5)}, {"2g2f"}},
        {"pessimistic", {vote(0, "7g7f", 0.3), vote(1, "2g2f", 0.3)}, {"7g7f"}},
        // 0.9 > 0.4 + 0.45, but 0.9 < 0.5 + 0.45.
        {"win-rate-sum", {vote(0, "7g7f", 0.9), vote(1, "2g2f", 0.4), vote(2, "2g2f", 0.45)}, {"7g7f"}},
        {"win-rate-sum", {vote(0, "7g7f", 0.9), vote(1, "2g2f", 0.5), vote(2, "2g2f", 0.45)}, {"2g2f"}},
        // The third vote decides between two that differ.
        {"two-then-third", {vote(0, "7g7f"), vote(1, "2g2f"), vote(2, "2g2f")}, {"2g2f"}},
        {"two-then-third", {vote(0, "7g7f"), vote(1, "2g2f"), vote(2, "5g5f")}, {"7g7f"}},
        {"two-then-third", {vote(0, "7g7f"), vote(1, "7g7f")}, {"7g7f"}},
    };
    for (const Row& row : rows) {
        const Poll poll = poll_of(row.ballots, 5);
        std::set<std::string> seen;
        for (const auto& [move, times] : decisions(*rule(row.rule, 5), poll))
            seen.insert(move);
        EXPECT_EQ(seen, row.expected) << row.rule << ", row " << (&row - rows.data());
    }
}

TEST(Majority, DecidesTiesEvenlyAndAgainTheSameFromTheSameSeed) {
    const Poll poll = poll_of({vote(0, "7g7f"), vote(1, "2g2f"), vote(2, "5g5f")});
    const auto counts = decisions(*rule("majority"), poll, 3000);
    ASSERT_EQ(counts.size(), 3U);
    // The standard deviation of each count is 26.
    for (const auto& [move, times] : counts)
        EXPECT_NEAR(times, 1000, 130) << move;
    EXPECT_EQ(counts, decisions(*rule("majority"), poll, 3000));
}

TEST(Rule, AsksEverybodyOnceUnlessItIsDefinedOtherwise) {
    for (const auto* name : {"majority", "leader", "weighted", "optimistic", "pessimistic", "win-rate-sum"}) {
        const auto asked = rule(name)->questions(0, poll_of({}));
        ASSERT_EQ(asked.size(), 3U) << name;
        for (std::size_t i = 0; i < asked.size(); ++i)
            EXPECT_EQ(asked[i], (Question{i, std::nullopt})) << name;
        EXPECT_THAT(rule(name)->questions(1, poll_of({vote(0, "7g7f")})), IsEmpty()) << name;
    }
}

TEST(TwoThenThird, AsksTheThirdOnlyWhenTheFirstTwoDoNotAgree) {
    const auto two_then_third = rule("two-then-third");
    EXPECT_EQ(two_then_third->questions(0, poll_of({})), (std::vector<Question>{{0, std::nullopt}, {1, std::nullopt}}));
    EXPECT_THAT(two_then_third->questions(1, poll_of({vote(0, "7g7f"), vote(1, "7g7f")})), IsEmpty());
    const std::vector<Question> third{{2, std::nullopt}};
    EXPECT_EQ(two_then_third->questions(1, poll_of({vote(0, "7g7f"), vote(1, "2g2f")})), third);
    EXPECT_EQ(two_then_third->questions(1, poll_of({vote(0, "7g7f")})), third) << "one of the two has failed";
    EXPECT_THAT(two_then_third->questions(2, poll_of({vote(0, "7g7f"), vote(1, "2g2f"), vote(2, "2g2f")})), IsEmpty());
}

TEST(Exchange, LetsEachJudgeTheMoveOfTheOtherAndAddsUp) {
    const auto exchange = rule("exchange", 2);
    Poll poll = poll_of({vote(0, "7g7f", 0.60), vote(1, "2g2f", 0.55)}, 2);
    EXPECT_EQ(exchange->questions(1, poll), (std::vector<Question>{{0, test::usi("2g2f")}, {1, test::usi("7g7f")}}));
    EXPECT_THAT(exchange->questions(2, poll), IsEmpty());
    EXPECT_THAT(exchange->questions(1, poll_of({vote(0, "7g7f"), vote(1, "7g7f")}, 2)), IsEmpty()) << "they agree";
    EXPECT_DOUBLE_EQ(exchange->share(0, poll), 0.5);
    EXPECT_DOUBLE_EQ(exchange->share(1, poll), 1);

    // 7g7f: 0.60 + 0.40, 2g2f: 0.55 + 0.50.
    poll.opinions = {{0, test::usi("2g2f"), 0.50}, {1, test::usi("7g7f"), 0.40}};
    base::Random random(1);
    EXPECT_EQ(exchange->decide(poll, random), test::usi("2g2f"));
    poll.opinions[1].win_rate = 0.58;
    EXPECT_EQ(exchange->decide(poll, random), test::usi("7g7f"));
    poll.opinions.clear();
    EXPECT_EQ(exchange->decide(poll, random), test::usi("7g7f")) << "no judgement came";
}

TEST(Exchange, OfThreeTakesTwoRoundsInWhichEverybodyJudgesEveryMoveOnce) {
    const auto exchange = rule("exchange");
    const Poll poll = poll_of({vote(0, "7g7f"), vote(1, "2g2f"), vote(2, "5g5f")});
    std::map<std::size_t, std::set<std::string>> judged;
    for (int round = 1; round <= 2; ++round)
        for (const Question& question : exchange->questions(round, poll))
            judged[question.player].insert(record::to_usi(*question.about));
    EXPECT_THAT(exchange->questions(3, poll), IsEmpty());
    EXPECT_EQ(judged[0], (std::set<std::string>{"2g2f", "5g5f"}));
    EXPECT_EQ(judged[1], (std::set<std::string>{"7g7f", "5g5f"}));
    EXPECT_EQ(judged[2], (std::set<std::string>{"7g7f", "2g2f"}));
    EXPECT_DOUBLE_EQ(exchange->share(1, poll), 0.5);
    EXPECT_DOUBLE_EQ(exchange->share(2, poll), 1);
}

TEST(Switch, PutsOnePlayerInChargeByPlyOrPhaseAndTheNextWhenItFails) {
    struct Turn {
        const char* rule;
        int move_number;
        std::size_t players;
        std::size_t in_charge;
    };
    const RuleSettings settings{.switch_every = 4, .middle_game_from = 51, .endgame_from = 101};
    for (const Turn& turn :
         {Turn{"switch-ply", 1, 3, 0}, Turn{"switch-ply", 4, 3, 0}, Turn{"switch-ply", 5, 3, 1},
          Turn{"switch-ply", 9, 3, 2}, Turn{"switch-ply", 13, 3, 0}, Turn{"switch-phase", 1, 3, 0},
          Turn{"switch-phase", 50, 3, 0}, Turn{"switch-phase", 51, 3, 1}, Turn{"switch-phase", 100, 3, 1},
          Turn{"switch-phase", 101, 3, 2}, Turn{"switch-phase", 300, 3, 2}, Turn{"switch-phase", 300, 2, 1}}) {
        const auto chosen = *make_rule(turn.rule, settings, turn.players);
        Poll poll = poll_of({}, turn.players);
        poll.move_number = turn.move_number;
        const std::vector<Question> first{{turn.in_charge, std::nullopt}};
        const std::vector<Question> next{{(turn.in_charge + 1) % turn.players, std::nullopt}};
        EXPECT_EQ(chosen->questions(0, poll), first) << turn.rule << turn.move_number;
        EXPECT_EQ(chosen->questions(1, poll), next) << "after a failure";
        EXPECT_THAT(chosen->questions(static_cast<int>(turn.players), poll), IsEmpty());
        poll.ballots = {vote(turn.in_charge, "7g7f")};
        EXPECT_THAT(chosen->questions(1, poll), IsEmpty());
    }
}

TEST(Rule, IsFoundByItsNameAndNeedsEnoughPlayers) {
    for (const RuleEntry& entry : all_rules())
        EXPECT_TRUE(make_rule(entry.name, {}, entry.fewest_players).ok()) << entry.name;
    EXPECT_THAT(make_rule("lottery", {}, 3).error().message, HasSubstr("majority, leader"));
    EXPECT_THAT(make_rule("two-then-third", {}, 2).error().message, HasSubstr("at least 3 players"));
}

}  // namespace
}  // namespace tsumugi::ensemble
