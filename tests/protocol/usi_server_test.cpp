// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/usi_server.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/patient_player.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::protocol {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

// A conversation with a server on a thread of its own.
class Conversation {
public:
    explicit Conversation(test::PatientPlayer& player, UsiServer::Settings settings = {"", 5s})
        : writer_([this](std::string_view text) { hear(text); }), server_(player, writer_, std::move(settings)) {
        thread_ = std::jthread([this] { server_.run([this] { return next(); }); });
    }
    ~Conversation() { end(); }

    void say(const std::string& line) {
        const std::lock_guard lock(mutex_);
        spoken_.push_back(line);
        changed_.notify_all();
    }
    // Waits for the n-th line that starts so; empty if it does not come.
    std::string wait_for(const std::string& start, int n = 1) {
        std::unique_lock lock(mutex_);
        std::string found;
        changed_.wait_for(lock, 5s, [&] {
            int count = 0;
            for (const std::string& line : heard_)
                if (line.substr(0, start.size()) == start && ++count == n) {
                    found = line;
                    return true;
                }
            return false;
        });
        return found;
    }
    // Closes the input and returns everything that was heard.
    std::vector<std::string> end() {
        {
            const std::lock_guard lock(mutex_);
            closed_ = true;
            changed_.notify_all();
        }
        if (thread_.joinable()) thread_.join();
        const std::lock_guard lock(mutex_);
        return heard_;
    }
    UsiServer& server() { return server_; }

private:
    std::optional<std::string> next() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || !spoken_.empty(); });
        if (spoken_.empty()) return std::nullopt;
        std::string line = spoken_.front();
        spoken_.pop_front();
        return line;
    }
    void hear(std::string_view text) {
        const std::lock_guard lock(mutex_);
        heard_.emplace_back(text.substr(0, text.size() - 1));
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> spoken_;
    std::vector<std::string> heard_;
    bool closed_ = false;
    LineWriter writer_;
    UsiServer server_;
    std::jthread thread_;
};

long count_of(const std::vector<std::string>& lines, const std::string& start) {
    return std::count_if(lines.begin(), lines.end(),
                         [&](const std::string& line) { return line.substr(0, start.size()) == start; });
}

TEST(UsiServer, IntroducesThePlayerWithItsOptions) {
    test::PatientPlayer player;
    Conversation talk(player);
    talk.say("usi");
    talk.wait_for("usiok");
    EXPECT_THAT(talk.end(),
                ElementsAre("id name Patient", "id author tests", "option name Threads type spin default 1 min 1 max 8",
                            "option name EvalDir type string default eval", "option name Clear_Hash type button",
                            "option name DebugLogFile type filename default <empty>", "usiok"));
    EXPECT_TRUE(player.notes().empty()) << "nothing is loaded before isready";
}

TEST(UsiServer, GetsReadyStartsGamesAndAnswersInOrder) {
    test::PatientPlayer player;
    Conversation talk(player);
    for (const auto* line : {"isready", "usinewgame", "position startpos", "go depth 1"})
        talk.say(line);
    EXPECT_EQ(talk.wait_for("bestmove"), "bestmove 5i4h");
    talk.say("gameover win");
    const auto heard = talk.end();
    EXPECT_EQ(heard.front(), "readyok");
    EXPECT_THAT(player.notes(), ElementsAre("prepare", "new game", "game over"));
}

TEST(UsiServer, GetsReadyByItselfWhenAskedToThinkAtOnce) {
    test::PatientPlayer player;
    Conversation talk(player);
    talk.say("go depth 1");
    EXPECT_NE(talk.wait_for("bestmove"), "");
    talk.end();
    EXPECT_THAT(player.notes(), ElementsAre("prepare"));
}

TEST(UsiServer, SaysWhyLoadingFailedAndStillBecomesReady) {
    test::PatientPlayer player;
    player.loading_error = "no such net";
    Conversation talk(player);
    talk.say("isready");
    talk.wait_for("readyok");
    EXPECT_THAT(talk.end(), ElementsAre("info string Error: no such net", "readyok"));
}

TEST(UsiServer, SendsBlankLinesWhileLoadingTakesLong) {
    test::PatientPlayer player;
    player.loading_time = 100ms;
    Conversation talk(player, {"", 10ms});
    talk.say("isready");
    talk.wait_for("readyok");
    const auto heard = talk.end();
    EXPECT_GE(std::count(heard.begin(), heard.end(), ""), 3);
}

TEST(UsiServer, StaysSilentWhileLoadingIsQuick) {
    test::PatientPlayer player;
    Conversation talk(player);
    talk.say("isready");
    talk.wait_for("readyok");
    EXPECT_THAT(talk.end(), Not(Contains("")));
}

TEST(UsiServer, SetsOptionsOfSeveralWordsAndComplainsOnce) {
    test::PatientPlayer player;
    Conversation talk(player);
    talk.say("setoption name Threads value 4");
    talk.say("setoption name EvalDir value C:/my nets/best  one");
    talk.say("setoption name Clear Hash");
    talk.say("setoption name Threads value 100");
    talk.say("setoption name Nothing value 1");
    talk.say("setoption");
    talk.say("getoption threads");
    EXPECT_EQ(talk.wait_for("Threads ="), "Threads = 4");
    const auto heard = talk.end();
    EXPECT_EQ(player.options().text("EvalDir"), "C:/my nets/best  one");
    EXPECT_THAT(player.notes(), ElementsAre("clear"));
    EXPECT_EQ(count_of(heard, "info string Error"), 3);
    EXPECT_THAT(heard, Contains(HasSubstr("Threads accepts a number from 1 to 8, got '100'")));
    EXPECT_THAT(heard, Contains(HasSubstr("'Nothing'")));
}

TEST(UsiServer, ReadsTheOptionsFileBeforeItGetsReady) {
    const test::TempFolder folder;
    std::ofstream(folder / "engine_options.txt")
        << "// our settings\n\noption name Threads type spin default 6 min 1 max 8\r\n"
           "EvalDir other nets\nsetoption name Clear_Hash\nNothing 3\n";
    test::PatientPlayer player;
    Conversation talk(player, {folder / "engine_options.txt", 5s});
    talk.say("isready");
    talk.wait_for("readyok");
    const auto heard = talk.end();
    EXPECT_EQ(player.options().spin("Threads"), 6);
    EXPECT_EQ(player.options().text("EvalDir"), "other nets");
    EXPECT_THAT(player.notes(), ElementsAre("clear", "prepare"));
    EXPECT_EQ(count_of(heard, "info string Error"), 1);
}

TEST(UsiServer, NamesTheIllegalMoveAndKeepsThePositionBefore) {
    test::PatientPlayer player;
    Conversation talk(player);
    talk.say("position startpos moves 7g7f");
    talk.say("position startpos moves 7g7f 3c3d 2b8h");
    talk.say("position startpos moves xyz");
    talk.say("position sfen 9/9/9/9/9/9/9/9/KKKKKKKKKK b - 1");
    talk.say("position sfen kkkkkkkkk/9/9/9/9/9/9/9/K8 b - 1");
    talk.say("position");
    talk.say("d");
    talk.wait_for("key");
    const auto heard = talk.end();
    EXPECT_THAT(heard, Contains(HasSubstr("move 3 of the list, '2b8h', is illegal")));
    EXPECT_THAT(heard, Contains(HasSubstr("move 1 of the list, 'xyz', is no move")));
    EXPECT_EQ(count_of(heard, "info string Error: position"), 5);
    EXPECT_THAT(heard, Contains(HasSubstr("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2")));
}

TEST(UsiServer, AnswersEveryGoExactlyOnceWhateverTheThreadsDo) {
    test::PatientPlayer player;
    Conversation talk(player);
    talk.say("go infinite");
    talk.wait_for("info depth");
    const auto before = std::chrono::steady_clock::now();
    for (int i = 0; i < 1000; ++i)
        talk.say("stop");
    EXPECT_NE(talk.wait_for("bestmove"), "");
    EXPECT_LT(std::chrono::steady_clock::now() - before, 50ms * 4) << "four times the promise, for loaded machines";
    for (int i = 0; i < 100; ++i)
        talk.say("go infinite");
    talk.say("stop");
    EXPECT_NE(talk.wait_for("bestmove", 101), "");
    talk.say("stop");
    talk.say("ponderhit");
    EXPECT_EQ(count_of(talk.end(), "bestmove"), 101);
    EXPECT_THAT(player.notes(), Not(Contains("two searches at once")));
}

TEST(UsiServer, HearsAPonderHitThatComesBeforeTheThinkingThreadIsReady) {
    for (int i = 0; i < 50; ++i) {
        test::PatientPlayer player;
        Conversation talk(player);
        talk.say("go ponder");
        talk.say("ponderhit btime 1000 wtime 2000 binc 10 winc 20");
        ASSERT_NE(talk.wait_for("bestmove"), "") << "round " << i;
        talk.end();
        ASSERT_TRUE(player.hit_clock.has_value());
        EXPECT_EQ(player.hit_clock->remaining[1], 2000ms);
        EXPECT_EQ(player.hit_clock->increment[0], 10ms);
    }
}

TEST(UsiServer, PondersUntilStoppedWhenTheMoveIsNotPlayed) {
    test::PatientPlayer player;
    Conversation talk(player);
    talk.say("go ponder btime 1000 wtime 1000 byoyomi 0");
    talk.wait_for("info depth");
    talk.say("stop");
    EXPECT_NE(talk.wait_for("bestmove"), "");
    talk.end();
    EXPECT_FALSE(player.hit_clock.has_value());
}

TEST(UsiServer, TreatsGameOverAndNewGamesDuringThoughtAsStops) {
    for (const auto* line : {"gameover lose", "usinewgame", "quit", "go depth 1"}) {
        test::PatientPlayer player;
        Conversation talk(player);
        talk.say("go infinite");
        talk.wait_for("info depth");
        talk.say(line);
        EXPECT_NE(talk.wait_for("bestmove"), "") << line;
    }
}

TEST(UsiServer, StopsThinkingAtTheEndOfTheInput) {
    test::PatientPlayer player;
    Conversation talk(player);
    talk.say("go infinite");
    talk.wait_for("info depth");
    EXPECT_EQ(count_of(talk.end(), "bestmove"), 1);
}

TEST(UsiServer, AppliesOptionsOfTheReadingThreadAfterTheThought) {
    test::PatientPlayer player;
    Conversation talk(player);
    talk.say("go infinite");
    talk.wait_for("info depth");
    talk.say("setoption name Clear_Hash");
    talk.say("isready");
    EXPECT_NE(talk.wait_for("readyok"), "") << "answers at once during a search";
    EXPECT_THAT(player.notes(), Not(Contains("clear")));
    talk.say("stop");
    talk.wait_for("bestmove");
    talk.end();
    EXPECT_THAT(player.notes(), Contains("clear"));
}

TEST(UsiServer, NeverShowsAnIllegalMove) {
    test::PatientPlayer player;
    Conversation talk(player);
    talk.say("go depth 1");
    talk.wait_for("bestmove");
    for (const std::string& line : talk.end())
        EXPECT_THAT(line, Not(HasSubstr(" pv ")));
}

TEST(UsiServer, ResignsWhenMatedAndWhenThePlayerFails) {
    test::PatientPlayer player;
    Conversation talk(player);
    talk.say("position sfen 4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1");
    talk.say("go depth 1");
    EXPECT_EQ(talk.wait_for("bestmove"), "bestmove resign");
    talk.end();

    test::PatientPlayer thrower;
    thrower.throws = true;
    Conversation second(thrower);
    second.say("go depth 1");
    EXPECT_EQ(second.wait_for("bestmove"), "bestmove resign");
    EXPECT_THAT(second.end(), Contains("info string Error: out of ideas"));
}

TEST(UsiServer, UnderstandsEveryWordOfGo) {
    test::PatientPlayer player;
    Conversation talk(player);
    talk.say(
        "go btime 1000 wtime 2000 byoyomi 300 nodes 5 depth 6 movetime 70 movestogo 8 searchmoves 7g7f 2g2f 9i9a "
        "nonsense");
    talk.wait_for("bestmove");
    const auto heard = talk.end();
    const think::Limits& limits = player.last_limits;
    ASSERT_TRUE(limits.clock && limits.nodes && limits.depth && limits.move_time);
    EXPECT_EQ(limits.clock->remaining[0], 1000ms);
    EXPECT_EQ(limits.clock->byoyomi, 300ms);
    EXPECT_EQ(*limits.nodes, 5U);
    EXPECT_EQ(*limits.depth, 6);
    EXPECT_EQ(*limits.move_time, 70ms);
    EXPECT_EQ(limits.root_moves.size(), 2U);
    EXPECT_THAT(heard, Contains(HasSubstr("'9i9a' is illegal")));
    EXPECT_THAT(heard, Contains(HasSubstr("'nonsense' is not understood")));
}

TEST(UsiServer, AdmitsThatAPlayerCannotSearchForMates) {
    test::PatientPlayer player;
    Conversation talk(player);
    for (const auto* line : {"go mate 1000", "go mate infinite", "go mate"}) {
        talk.say(line);
    }
    EXPECT_EQ(talk.wait_for("checkmate", 3), "checkmate notimplemented");
    EXPECT_EQ(count_of(talk.end(), "bestmove"), 0);
}

TEST(UsiServer, CountsLeavesAndListsMovesForPeople) {
    test::PatientPlayer player;
    Conversation talk(player);
    talk.say("perft 3");
    talk.say("go perft 2");
    talk.say("moves");
    talk.say("help");
    EXPECT_THAT(talk.wait_for("perft 3"), HasSubstr("leaves 25470"));
    EXPECT_THAT(talk.wait_for("perft 2"), HasSubstr("leaves 900"));
    EXPECT_THAT(talk.wait_for("30 legal moves"), HasSubstr("7g7f"));
    EXPECT_NE(talk.wait_for("ponderhit"), "");
}

TEST(UsiServer, RunsExtraCommandsToTheirEnd) {
    test::PatientPlayer player;
    Conversation talk(player);
    talk.server().add_command({"twice", "", [](const UsiServer::Call& call) {
                                   std::this_thread::sleep_for(20ms);
                                   call.print(std::string(call.arguments) + std::string(call.arguments));
                               }});
    talk.say("twice ab");
    talk.say("quit");
    EXPECT_THAT(talk.end(), Contains("abab"));
}

TEST(UsiServer, WritesTheConversationToALog) {
    const test::TempFolder folder;
    test::PatientPlayer player;
    Conversation talk(player);
    talk.say("setoption name DebugLogFile value " + (folder / "log.txt").string());
    talk.say("isready");
    talk.wait_for("readyok");
    talk.say("go depth 1");
    talk.wait_for("bestmove");
    talk.say("setoption name DebugLogFile value /nowhere/log.txt");
    EXPECT_THAT(talk.wait_for("info string Error"), HasSubstr("/nowhere/log.txt"));
    talk.end();
    std::ifstream log(folder / "log.txt");
    const std::string text{std::istreambuf_iterator<char>(log), {}};
    EXPECT_THAT(text, AllOf(HasSubstr("< go depth 1"), HasSubstr("> bestmove 5i4h")));
}

TEST(UsiServer, SurvivesGarbage) {
    test::PatientPlayer player;
    Conversation talk(player);
    talk.say("");
    talk.say("   ");
    talk.say(std::string("\0\x01\xff\xfe binary", 11));
    talk.say(std::string(1 << 20, 'x'));
    talk.say("position startpos moves " + std::string(1 << 20, ' ') + "7g7f");
    talk.say("go btime");
    talk.say("go depth x nodes -5 btime 99999999999999999999999 wtime -1");
    talk.say("setoption name");
    talk.say("setoption value 3");
    talk.say("ponderhit btime");
    talk.say("gameover");
    talk.say("perft -1");
    talk.say("stop");
    talk.say("go depth 1");
    EXPECT_NE(talk.wait_for("bestmove", 3), "");
    for (const std::string& line : talk.end())
        EXPECT_LT(line.size(), 400U);
}

}  // namespace
}  // namespace tsumugi::protocol
