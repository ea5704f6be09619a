// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/multi_ponder.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "ensemble/group_support.hpp"
#include "record/sfen.hpp"
#include "shogi/movegen.hpp"
#include "support/position.hpp"

namespace tsumugi::ensemble {
namespace {

using namespace std::chrono_literals;
using test::byoyomi;
using test::mock;
using test::Notebook;
using test::own;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using think::Answer;

std::unique_ptr<MultiPonder> ready_team(std::vector<MemberConfig> members) {
    Config config;
    config.members = std::move(members);
    config.prediction.player = own("prediction");
    config.prediction.time = 400ms;
    auto group = test::make_group<MultiPonder>(std::move(config));
    EXPECT_TRUE(group->options().set("USI_Ponder", "true").ok());
    const auto prepared = group->prepare();
    EXPECT_TRUE(prepared.ok()) << prepared.error().message;
    group->new_game();
    return group;
}

// What a GUI does while the opponent thinks: it lets the group ponder, and ends that after a while.
struct Pondering {
    // After the moves of the game, the last of which is the reply that is expected.
    Pondering(MultiPonder& group, const shogi::Position& position, think::Limits limits) {
        limits.ponder = true;
        limits.ponder_signal = std::make_shared<think::PonderSignal>();
        signal = limits.ponder_signal;
        thread = std::jthread([this, &group, position, limits = std::move(limits)] {
            answer = group.think(position, limits, notebook, stop.get_token());
        });
    }
    Answer hit() {
        signal->hit(std::nullopt);
        thread.join();
        return answer;
    }
    Answer end() {
        stop.request_stop();
        thread.join();
        return answer;
    }

    Notebook notebook;  // to be read after the end
    Answer answer;
    std::stop_source stop;
    std::shared_ptr<think::PonderSignal> signal;
    std::jthread thread;
};

shogi::Position after(shogi::Position position, const std::vector<std::string>& moves) {
    for (const std::string& move : moves)
        position.do_move(*record::parse_usi_move(move));
    return position;
}

// The replies that were pondered at the end, likeliest first.
std::vector<std::string> guesses(const Notebook& notebook) {
    std::string last;
    for (const std::string& text : notebook.texts)
        if (text.starts_with("pondering ")) last = text.substr(10);
    std::vector<std::string> moves;
    for (const std::string_view word : base::split(last, ','))
        moves.emplace_back(base::trim(word));
    return moves;
}

TEST(MultiPonder, GivesEachPlayerAReplyAndTheLikeliestToTheFirst) {
    const auto three = ready_team({own("a"), own("b"), own("c")});
    const shogi::Position expected = after(shogi::Position::even(), {"7g7f", "8c8d"});
    Pondering pondering(*three, expected, byoyomi(1s));
    std::this_thread::sleep_for(1500ms);
    const Answer answer = pondering.end();
    ASSERT_EQ(answer.kind, Answer::Kind::move);
    EXPECT_TRUE(expected.is_legal(answer.move));
    const auto replies = guesses(pondering.notebook);
    ASSERT_EQ(replies.size(), 3U);
    EXPECT_EQ(replies[0], "8c8d");
    for (const std::string& reply : replies)
        EXPECT_TRUE(after(shogi::Position::even(), {"7g7f"}).is_legal(*record::parse_usi_move(reply)));
    EXPECT_NE(replies[1], replies[2]);
}

TEST(MultiPonder, GoesOnWithTheExpectedReplyAfterAHitFromAnotherThread) {
    const auto two = ready_team({own("a"), own("b")});
    const shogi::Position position = after(shogi::Position::even(), {"7g7f", "3c3d"});
    Pondering pondering(*two, position, byoyomi(600ms));
    std::this_thread::sleep_for(1500ms);
    const base::Stopwatch watch;
    const Answer answer = pondering.hit();
    EXPECT_LT(watch.seconds(), 0.6);
    ASSERT_EQ(answer.kind, Answer::Kind::move);
    EXPECT_TRUE(position.is_legal(answer.move));
    EXPECT_THAT(pondering.notebook.texts, Contains(StartsWith("hit: 3c3d was guess 1 of 2, a pondered it for ")));
    EXPECT_EQ(two->statistic().hits, (std::vector<std::uint64_t>{1}));
    EXPECT_GE(two->statistic().gained, 300ms);
    EXPECT_THAT(pondering.notebook.texts, Not(Contains(StartsWith("decided"))));
}

TEST(MultiPonder, GoesOnWithAnotherGuessThatIsAskedForRightAfterAStop) {
    const auto three = ready_team({own("a"), own("b"), own("c")});
    const shogi::Position before = after(shogi::Position::even(), {"7g7f"});
    Pondering pondering(*three, after(before, {"9c9d"}), byoyomi(600ms));
    std::this_thread::sleep_for(1500ms);
    static_cast<void>(pondering.end());
    const auto replies = guesses(pondering.notebook);
    ASSERT_EQ(replies.size(), 3U);
    const shogi::Position position = after(before, {replies[2]});
    Notebook notebook;
    const base::Stopwatch watch;
    const Answer answer = three->think(position, byoyomi(600ms), notebook, {});
    EXPECT_LT(watch.seconds(), 0.6);
    ASSERT_EQ(answer.kind, Answer::Kind::move);
    EXPECT_TRUE(position.is_legal(answer.move));
    EXPECT_THAT(notebook.texts, Contains(StartsWith("hit: " + replies[2] + " was guess 3 of 3, ")));
    EXPECT_EQ(three->statistic().hits, (std::vector<std::uint64_t>{0, 0, 1}));
    // Meanwhile the others turned to what comes next, if anything is expected.
    if (!answer.ponder.is_none()) EXPECT_THAT(notebook.texts, Contains(StartsWith("pondering ")));
}

TEST(MultiPonder, ConsultsWhenNobodyPonderedTheReply) {
    const auto two = ready_team({own("a"), own("b")});
    const shogi::Position before = after(shogi::Position::even(), {"7g7f"});
    Pondering pondering(*two, after(before, {"3c3d"}), byoyomi(500ms));
    std::this_thread::sleep_for(300ms);
    static_cast<void>(pondering.end());
    Notebook notebook;
    const Answer answer = two->think(after(before, {"9a9b"}), byoyomi(500ms), notebook, {});
    ASSERT_EQ(answer.kind, Answer::Kind::move);
    EXPECT_THAT(notebook.texts, Contains("miss: 9a9b was not pondered"));
    EXPECT_THAT(notebook.texts, Contains(HasSubstr("of 2 votes")));
    EXPECT_EQ(two->statistic().misses, 1U);
    EXPECT_EQ(two->statistic().hit_count(), 0U);
}

TEST(MultiPonder, OutlivesAPlayerThatFailsAfterItsHit) {
    for (const char* fate : {"crash", "hang", "illegal"}) {
        const auto two = ready_team({mock({"ponder", fate}), own("other")});
        const shogi::Position position = after(shogi::Position::even(), {"7g7f", "3c3d"});
        Pondering pondering(*two, position, byoyomi(1s));
        std::this_thread::sleep_for(300ms);
        const base::Stopwatch watch;
        const Answer answer = pondering.hit();
        EXPECT_LT(watch.seconds(), 1.0) << fate;
        ASSERT_EQ(answer.kind, Answer::Kind::move) << fate;
        EXPECT_TRUE(position.is_legal(answer.move)) << fate;
        EXPECT_THAT(pondering.notebook.texts, Contains(StartsWith("ponder: "))) << fate;
    }
}

TEST(MultiPonder, TakesASilentPlayerForNoneAndSurvivesTheLossOfAll) {
    const auto two = ready_team({mock({"good"}), mock({"score", "0"})});
    const shogi::Position position = after(shogi::Position::even(), {"7g7f", "3c3d"});
    Pondering pondering(*two, position, byoyomi(800ms));
    std::this_thread::sleep_for(100ms);
    const Answer answer = pondering.hit();
    ASSERT_EQ(answer.kind, Answer::Kind::move);
    EXPECT_THAT(pondering.notebook.texts, Contains(StartsWith("miss: 3c3d")));

    const auto none = ready_team({mock({"crash", "1"}), mock({"illegal", "1"})});
    Pondering hopeless(*none, position, byoyomi(800ms));
    std::this_thread::sleep_for(100ms);
    const base::Stopwatch watch;
    const Answer any = hopeless.hit();
    EXPECT_LT(watch.seconds(), 0.8);
    ASSERT_EQ(any.kind, Answer::Kind::move);
    EXPECT_TRUE(position.is_legal(any.move));
}

TEST(MultiPonder, EndsItsThoughtsSomeTimeAfterAStop) {
    const auto two = ready_team({own("a"), own("b")});
    const shogi::Position position = after(shogi::Position::even(), {"7g7f", "3c3d"});
    Pondering pondering(*two, position, byoyomi(500ms));
    std::this_thread::sleep_for(200ms);
    static_cast<void>(pondering.end());
    std::this_thread::sleep_for(2300ms);
    Notebook notebook;
    EXPECT_EQ(two->think(position, byoyomi(400ms), notebook, {}).kind, Answer::Kind::move);
    EXPECT_THAT(notebook.texts, Not(Contains(StartsWith("hit"))));
    EXPECT_EQ(two->statistic().replies(), 0U) << "nobody expected anything any more";
}

TEST(MultiPonder, PlaysAGameWithAGuiThatPonders) {
    const auto group = ready_team({own("a"), mock({"ponder", "crash"}), own("c")});
    shogi::Position position = shogi::Position::even();
    for (int turn = 0; turn < 8; ++turn) {
        Notebook notebook;
        const base::Stopwatch watch;
        const Answer answer = group->think(position, byoyomi(250ms), notebook, {});
        EXPECT_LT(watch.seconds(), 0.25) << turn;
        ASSERT_EQ(answer.kind, Answer::Kind::move);
        position.do_move(answer.move);
        if (!shogi::has_legal_move(position)) break;
        shogi::MoveList moves;
        shogi::legal_moves(position, moves);
        const shogi::Move reply = turn % 2 == 0 && !answer.ponder.is_none() ? answer.ponder : moves[0];
        if (!answer.ponder.is_none()) {
            shogi::Position expected = position;
            expected.do_move(answer.ponder);
            if (shogi::has_legal_move(expected)) {
                Pondering pondering(*group, expected, byoyomi(250ms));
                std::this_thread::sleep_for(150ms);
                static_cast<void>(pondering.end());
            }
        }
        position.do_move(reply);
        if (!shogi::has_legal_move(position)) break;
    }
    EXPECT_GT(group->statistic().hit_count(), 0U);
    group->game_over(think::GameResult::draw);
}

TEST(PonderStatistic, CountsHitsByRankAndRates) {
    PonderStatistic statistic;
    statistic.note_hit(1, 1000ms);
    statistic.note_hit(3, 500ms);
    statistic.note_miss();
    PonderStatistic more;
    more.note_hit(2, 0ms);
    statistic.add(more);
    EXPECT_EQ(statistic.hits, (std::vector<std::uint64_t>{1, 1, 1}));
    EXPECT_DOUBLE_EQ(statistic.hit_rate(1), 0.25);
    EXPECT_DOUBLE_EQ(statistic.hit_rate(2), 0.5);
    EXPECT_DOUBLE_EQ(statistic.hit_rate(9), 0.75);
    EXPECT_EQ(statistic.summary(), "guessed 3 of 4 replies (by rank 1, 1, 1), 1.5 s gained");
}

}  // namespace
}  // namespace tsumugi::ensemble
