// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/consultation.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ensemble/group_support.hpp"
#include "ensemble/table_share.hpp"
#include "shogi/movegen.hpp"
#include "support/position.hpp"

namespace tsumugi::ensemble {
namespace {

using namespace std::chrono_literals;
using test::byoyomi;
using test::mock;
using test::nodes;
using test::Notebook;
using test::own;
using test::seconds_of;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using think::Answer;

std::unique_ptr<Consultation> group(std::vector<MemberConfig> members, const std::string& rule = "majority") {
    return test::make_group<Consultation>(std::move(members), rule);
}

std::unique_ptr<Consultation> ready(std::vector<MemberConfig> members, const std::string& rule = "majority") {
    return test::ready_group<Consultation>(std::move(members), rule);
}

TEST(Consultation, OfCopiesWithoutNoisePlaysWhatOneOfThemPlays) {
    const auto alone = ready({own("alone")});
    const auto three = ready({own("a"), own("b"), own("c")});
    shogi::Position position = shogi::Position::even();
    for (int ply = 0; ply < 6; ++ply) {
        Notebook notebook;
        const Answer expected = alone->think(position, nodes(500), notebook, {});
        const Answer answer = three->think(position, nodes(500), notebook, {});
        ASSERT_EQ(answer.kind, Answer::Kind::move);
        EXPECT_EQ(answer.move, expected.move) << ply;
        EXPECT_THAT(notebook.texts, Contains(HasSubstr("3 of 3 votes")));
        position.do_move(answer.move);
    }
}

TEST(Consultation, ShowsEveryVoteAndTheLineOfTheMoveThatIsPlayed) {
    const auto four = ready({own("a", 200, 1), own("b", 200, 2), own("c", 200, 3), mock({"score", "300"})});
    Notebook notebook;
    const Answer answer = four->think(shogi::Position::even(), nodes(300), notebook, {});
    for (const auto* name : {"a: ", "b: ", "c: "})
        EXPECT_THAT(notebook.texts, Contains(StartsWith(name)));
    // 1 / (1 + e^(-300/744)) = 59.9 %
    EXPECT_THAT(notebook.texts,
                Contains(testing::AllOf(StartsWith("score: "), HasSubstr("59.9 %"), HasSubstr("cp 300"))));
    ASSERT_FALSE(notebook.lines.empty());
    EXPECT_EQ(notebook.lines.back().moves.front(), answer.move);
}

TEST(Consultation, OutlivesPlayersThatFailInAnyWay) {
    struct Row {
        std::vector<std::string> mode;
        const char* report;
    };
    for (const Row& row :
         {Row{{"crash", "1"}, "exited with code 3"}, Row{{"hang", "1"}, "no answer in time"},
          Row{{"illegal", "1"}, "does not count"}, Row{{"garbage", "1"}, "does not count"}, Row{{"flood", "1"}, ""},
          Row{{"late", "20000"}, "no answer in time"}, Row{{"declare", "1"}, "declares a win"}}) {
        const auto three = ready({mock({"good"}), mock(row.mode), mock({"score", "0"})});
        const shogi::Position position = shogi::Position::even();
        Notebook notebook;
        Answer answer;
        const double seconds = seconds_of([&] { answer = three->think(position, byoyomi(1500ms), notebook, {}); });
        EXPECT_LT(seconds, 1.5) << row.mode[0];
        ASSERT_EQ(answer.kind, Answer::Kind::move) << row.mode[0];
        EXPECT_TRUE(position.is_legal(answer.move));
        EXPECT_THAT(notebook.texts, Contains(testing::AllOf(StartsWith(row.mode[0] + ": "), HasSubstr(row.report))));
        EXPECT_THAT(notebook.texts, Contains(HasSubstr("2 of 2 votes"))) << row.mode[0];
    }
}

TEST(Consultation, StartsAPlayerAgainThatCrashed) {
    // It ends at its second question and answers the first one of its next life.
    const auto two = ready({mock({"good"}), mock({"crash", "2"})});
    std::vector<bool> voted;
    for (int i = 0; i < 4; ++i) {
        Notebook notebook;
        EXPECT_EQ(two->think(shogi::Position::even(), nodes(100), notebook, {}).kind, Answer::Kind::move);
        voted.push_back(std::any_of(notebook.texts.begin(), notebook.texts.end(), [](const std::string& text) {
            return text.find("2 of 2 votes") != std::string::npos;
        }));
    }
    EXPECT_EQ(voted, (std::vector<bool>{true, false, true, false}));
}

TEST(Consultation, PlaysALegalMoveWhenEveryPlayerFails) {
    const auto none = ready({mock({"crash", "1"}), mock({"hang", "1"}), mock({"illegal", "1"})});
    const shogi::Position position = shogi::Position::even();
    Notebook notebook;
    Answer answer;
    const double seconds = seconds_of([&] { answer = none->think(position, byoyomi(1000ms), notebook, {}); });
    EXPECT_LT(seconds, 1.0);
    ASSERT_EQ(answer.kind, Answer::Kind::move);
    EXPECT_TRUE(position.is_legal(answer.move));
    EXPECT_THAT(notebook.texts, Contains(HasSubstr("no player answered")));
}

TEST(Consultation, PlaysOnWithoutPlayersThatCannotBeStartedAndNamesThem) {
    MemberConfig missing;
    missing.name = "missing";
    missing.command = {"/nowhere/engine"};
    MemberConfig misconfigured = own("misconfigured");
    misconfigured.options = {{"NoSuchOption", "1"}};
    const auto rest = group({mock({"good"}), mock({"no-start"}), missing, misconfigured});
    const auto prepared = rest->prepare();
    ASSERT_FALSE(prepared.ok());
    for (const auto* name : {"no-start: ", "missing: ", "misconfigured: "})
        EXPECT_THAT(prepared.error().message, HasSubstr(name));
    EXPECT_THAT(prepared.error().message, Not(HasSubstr("good: ")));
    Notebook notebook;
    EXPECT_EQ(rest->think(shogi::Position::even(), nodes(100), notebook, {}).kind, Answer::Kind::move);
    EXPECT_THAT(notebook.texts, Contains(HasSubstr("1 of 1 votes")));
}

TEST(Consultation, ResignsWhenMostOfItsPlayersDo) {
    Notebook notebook;
    const auto gloomy = ready({mock({"resign", "1"}), mock({"resign", "1"}), mock({"good"})});
    EXPECT_EQ(gloomy->think(shogi::Position::even(), nodes(100), notebook, {}).kind, Answer::Kind::resign);
    const auto brave = ready({mock({"resign", "1"}), mock({"good"}), mock({"good"})});
    EXPECT_EQ(brave->think(shogi::Position::even(), nodes(100), notebook, {}).kind, Answer::Kind::move);
    const auto unlucky = ready({mock({"resign", "1"}), mock({"crash", "1"}), mock({"crash", "1"})});
    EXPECT_EQ(unlucky->think(shogi::Position::even(), nodes(100), notebook, {}).kind, Answer::Kind::move)
        << "one player does not resign for all";
}

// Requests a stop from another thread, soon.
class Stopper {
public:
    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
    // Waits for the request.
    base::Clock::time_point when() {
        thread_.join();
        return when_;
    }

private:
    std::stop_source source_;
    base::Clock::time_point when_;
    std::jthread thread_{[this] {
        std::this_thread::sleep_for(300ms);
        when_ = base::Clock::now();
        source_.request_stop();
    }};
};

TEST(Consultation, AnswersAStopFromAnotherThreadAtOnceWithTheLinesThereAre) {
    const auto three = ready({own("a"), own("b"), mock({"good"})});
    think::Limits limits;
    limits.infinite = true;
    Notebook notebook;
    Stopper stopper;
    const Answer answer = three->think(shogi::Position::even(), limits, notebook, stopper.token());
    const auto answered = base::Clock::now();
    const auto stopped = stopper.when();
    EXPECT_GE(answered, stopped) << "infinite lasts until the stop";
    EXPECT_LT(answered - stopped, 400ms);
    ASSERT_EQ(answer.kind, Answer::Kind::move);
    EXPECT_THAT(notebook.texts, Contains(HasSubstr("decided: ")));
}

TEST(Consultation, DoesNotWaitForAHungPlayerAfterAStopFromAnotherThread) {
    const auto two = ready({own("a"), mock({"hang", "1"})});
    Notebook notebook;
    Stopper stopper;
    const Answer answer = two->think(shogi::Position::even(), byoyomi(60s), notebook, stopper.token());
    const auto answered = base::Clock::now();
    EXPECT_LT(answered - stopper.when(), 400ms);
    EXPECT_EQ(answer.kind, Answer::Kind::move);
}

TEST(Consultation, PondersUntilAHitFromAnotherThreadAndThenKeepsToTheClock) {
    for (const bool with_clock : {false, true}) {
        const auto three = ready({own("a"), own("b"), mock({"ponder"})});
        think::Limits limits = with_clock ? think::Limits{} : byoyomi(800ms);
        limits.ponder = true;
        limits.ponder_signal = std::make_shared<think::PonderSignal>();
        Notebook notebook;
        std::jthread hitter([&] {
            std::this_thread::sleep_for(300ms);
            limits.ponder_signal->hit(with_clock ? byoyomi(800ms).clock : std::nullopt);
        });
        const base::Stopwatch watch;
        const Answer answer = three->think(shogi::Position::even(), limits, notebook, {});
        EXPECT_GE(watch.seconds(), 0.3);
        EXPECT_LT(watch.seconds(), 0.3 + 0.8);
        ASSERT_EQ(answer.kind, Answer::Kind::move);
        EXPECT_THAT(notebook.texts, Contains(HasSubstr("of 3 votes")));
    }
}

TEST(Consultation, AsksTheThirdPlayerOnlyWhenTwoDiffer) {
    // Mock engines play the same move, our engine most likely another one.
    const auto agreeing = ready({mock({"good"}), mock({"score", "1"}), mock({"crash", "1"})}, "two-then-third");
    Notebook notebook;
    static_cast<void>(agreeing->think(shogi::Position::even(), nodes(100), notebook, {}));
    EXPECT_THAT(notebook.texts, Contains(HasSubstr("2 of 2 votes")));
    EXPECT_THAT(notebook.texts, Not(Contains(StartsWith("crash"))));

    const auto third = ready({mock({"good"}), mock({"illegal", "1"}), own("third")}, "two-then-third");
    Notebook second;
    const Answer answer = third->think(shogi::Position::even(), byoyomi(1000ms), second, {});
    EXPECT_EQ(answer.kind, Answer::Kind::move);
    EXPECT_THAT(second.texts, Contains(StartsWith("third: ")));
}

TEST(Consultation, LetsPlayersJudgeEachOthersMoves) {
    const auto two = ready({own("a", 300, 1), mock({"good"})}, "exchange");
    shogi::Position position = shogi::Position::even();
    bool exchanged = false;
    for (int ply = 0; ply < 4; ++ply) {
        Notebook notebook;
        const Answer answer = two->think(position, byoyomi(600ms), notebook, {});
        ASSERT_EQ(answer.kind, Answer::Kind::move);
        exchanged = exchanged || std::any_of(notebook.texts.begin(), notebook.texts.end(),
                                             [](const std::string& text) { return text.starts_with("a on "); });
        position.do_move(answer.move);
    }
    EXPECT_TRUE(exchanged);
}

TEST(Consultation, DeclaresAWinItselfAndResignsWhenMated) {
    const auto two = ready({mock({"good"}), mock({"good"})});
    Notebook notebook;
    const auto entered = test::position("+R+R2K4/PPPPPPPPP/2GG5/9/9/9/9/9/4k4 b 2B2G4S 1");
    EXPECT_EQ(two->think(entered, nodes(100), notebook, {}).kind, Answer::Kind::declare_win);
    const auto mated = test::position("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    EXPECT_EQ(two->think(mated, nodes(100), notebook, {}).kind, Answer::Kind::resign);
}

TEST(Consultation, PlaysAWholeGameOnTheClockWithAPlayerThatFailsAllTheTime) {
    const auto three = ready({mock({"good"}), mock({"crash", "2"}), own("steady")});
    shogi::Position position = shogi::Position::even();
    for (int ply = 0; ply < 12 && shogi::has_legal_move(position); ++ply) {
        Notebook notebook;
        Answer answer;
        const double seconds = seconds_of([&] { answer = three->think(position, byoyomi(300ms), notebook, {}); });
        EXPECT_LT(seconds, 0.3) << ply;
        ASSERT_EQ(answer.kind, Answer::Kind::move) << ply;
        ASSERT_TRUE(position.is_legal(answer.move)) << ply;
        position.do_move(answer.move);
    }
    three->game_over(think::GameResult::draw);
}

std::unique_ptr<Consultation> sharing(std::vector<MemberConfig> members) {
    Config config;
    config.shares_tables = true;
    config.shared_mib = 1;
    config.members = std::move(members);
    for (MemberConfig& member : config.members)
        std::erase_if(member.options, [](const auto& each) { return each.first == "USI_Hash"; });
    auto created = Consultation::create(std::move(config));
    EXPECT_TRUE(created.ok());
    EXPECT_TRUE((*created)->options().set("USI_OwnBook", "false").ok());
    EXPECT_TRUE((*created)->prepare().ok());
    (*created)->new_game();
    return *std::move(created);
}

TEST(Consultation, ThreadsOfCopiesWithDifferentNoiseShareATable) {
    const auto four = sharing({own("a", 50, 1), own("b", 50, 2), own("c", 50, 3), own("d", 0, 0)});
    shogi::Position position = shogi::Position::even();
    for (int ply = 0; ply < 4; ++ply) {
        Notebook notebook;
        const Answer answer = four->think(position, nodes(2000), notebook, {});
        ASSERT_EQ(answer.kind, Answer::Kind::move);
        EXPECT_THAT(notebook.texts, Contains(HasSubstr("of 4 votes")));
        position.do_move(answer.move);
        if (ply == 1) four->new_game();
    }
}

TEST(TableShare, HasOneTableForEachNetAndNoneForOtherPrograms) {
    TableShare tables;
    const auto first = tables.table_of(own("a", 50, 1), 1);
    MemberConfig other = own("c");
    other.options.emplace_back("FV_SCALE", "24");
    EXPECT_NE(first, nullptr);
    EXPECT_EQ(tables.table_of(own("b", 100, 2), 1), first) << "noise makes no difference";
    EXPECT_NE(tables.table_of(other, 1), first);
    EXPECT_EQ(tables.table_of(mock({"score"}), 1), nullptr);
}

}  // namespace
}  // namespace tsumugi::ensemble
