// SPDX-License-Identifier: GPL-3.0-or-later
// The program as a GUI sees it: through pipes.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.hpp"
#include "app/usi_session.hpp"
#include "base/text.hpp"
#include "protocol/usi_text.hpp"
#include "support/data.hpp"

namespace tsumugi {
namespace {

using namespace std::chrono_literals;
using test::UsiSession;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view matsuri = "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

// A small table, so that many programs may run at once.
void get_ready(UsiSession& engine) {
    engine.send("usi");
    engine.wait_for("usiok");
    engine.send("setoption name USI_Hash value 16");
    engine.send("setoption name USI_OwnBook value false");
    engine.send("isready");
    engine.wait_for("readyok");
    engine.send("usinewgame");
}

void expect_clean_end(UsiSession& engine) {
    const auto status = engine.wait();
    ASSERT_TRUE(status.has_value()) << "still running";
    EXPECT_TRUE(status->success()) << status->describe();
}

// Every line of thought is legal to its end, has the words GUIs need, and the answer is legal too.
void expect_sound(const std::vector<std::string>& lines, std::string_view position_text) {
    const auto position = protocol::parse_position(position_text);
    ASSERT_TRUE(position.ok());
    for (const std::string& line : lines) {
        if (line.substr(0, 10) != "info depth") continue;
        const auto pv = line.find(" pv ");
        ASSERT_NE(pv, std::string::npos) << line;
        const auto thought = protocol::parse_info(line.substr(5), *position);
        ASSERT_TRUE(thought.has_value()) << line;
        EXPECT_EQ(thought->moves.size(), base::split_words(std::string_view(line).substr(pv + 4)).size()) << line;
        for (const auto* word : {" seldepth ", " score ", " nodes ", " nps ", " hashfull ", " time "})
            EXPECT_THAT(line, HasSubstr(word));
    }
    EXPECT_TRUE(protocol::parse_bestmove(lines.back().substr(9), *position).ok()) << lines.back();
}

TEST(UsiProgram, TellsTheVersionThatIsBuilt) {
    const std::string build = test::read_file(TSUMUGI_SOURCE_DIR "/CMakeLists.txt");
    const std::string version = test::run_program({"--version"}).text;
    ASSERT_THAT(version, StartsWith("Tsumugi "));
    EXPECT_THAT(build, HasSubstr("VERSION " + std::string(base::trim(version.substr(8))) + " "));
    UsiSession engine;
    engine.send("usi");
    EXPECT_EQ(engine.wait_for("id name") + "\n", "id name " + version);
}

TEST(UsiProgram, IntroducesItselfAtOnceWithoutSpacesInOptionNames) {
    UsiSession engine;
    engine.send("usi");
    for (const std::string& line : engine.read_until("usiok", 10s)) {
        if (line.substr(0, 6) != "option") continue;
        const auto words = base::split(line, ' ');
        ASSERT_GE(words.size(), 5U) << line;
        EXPECT_EQ(words[3], "type") << line;
        const auto option = protocol::parse_option(std::string_view(line).substr(7));
        ASSERT_TRUE(option.ok());
        EXPECT_EQ(option->initial.find(' '), std::string::npos) << line;
    }
    engine.send("quit");
    expect_clean_end(engine);
}

TEST(UsiProgram, ThinksSoundlyWithEveryKindOfLimit) {
    UsiSession engine;
    get_ready(engine);
    for (const auto position : {std::string_view("startpos"), matsuri})
        for (const auto* go : {"depth 6", "nodes 5000", "movetime 100", "btime 1000 wtime 1000 byoyomi 0",
                               "btime 0 wtime 0 byoyomi 200", "btime 500 wtime 500 binc 100 winc 100"}) {
            engine.send("position " + std::string(position));
            engine.send("go " + std::string(go));
            expect_sound(engine.read_until("bestmove"), position);
        }
    engine.send("setoption name MultiPV value 4");
    engine.send("go nodes 5000");
    const auto lines = engine.read_until("bestmove");
    expect_sound(lines, matsuri);
    EXPECT_THAT(lines, Contains(HasSubstr("multipv 4")));
}

TEST(UsiProgram, RestrictsItselfToTheMovesItIsAskedAbout) {
    UsiSession engine;
    get_ready(engine);
    engine.send("position startpos");
    engine.send("go nodes 2000 searchmoves 9g9f");
    EXPECT_THAT(engine.wait_for("bestmove"), StartsWith("bestmove 9g9f"));
}

TEST(UsiProgram, AnswersAStopWithinFiftyMilliseconds) {
    UsiSession engine;
    get_ready(engine);
    // The best of several tries: the machine may be busy with other tests.
    auto fastest = std::chrono::steady_clock::duration::max();
    for (int i = 0; i < 10; ++i) {
        engine.send("position " + std::string(matsuri));
        engine.send("go infinite");
        engine.wait_for("info depth");
        std::this_thread::sleep_for(20ms);
        const auto before = std::chrono::steady_clock::now();
        engine.send("stop");
        engine.wait_for("bestmove");
        fastest = std::min(fastest, std::chrono::steady_clock::now() - before);
    }
    EXPECT_LT(fastest, 50ms);
}

TEST(UsiProgram, NeverLosesOnTimeInAHundredMilliseconds) {
    UsiSession engine;
    get_ready(engine);
    engine.send("setoption name NetworkDelay value 0");
    engine.send("setoption name NetworkDelay2 value 0");
    std::string moves;
    for (int ply = 0; ply < 40; ++ply) {
        // A machine that is busy with other tests makes an answer late now and then; an engine that counts wrongly is
        // late however often it is asked.
        std::string answer;
        auto fastest = std::chrono::steady_clock::duration::max();
        for (int attempt = 0; attempt < 3 && fastest > 100ms; ++attempt) {
            engine.send("position startpos" + (moves.empty() ? "" : " moves" + moves));
            const auto before = std::chrono::steady_clock::now();
            engine.send("go btime 0 wtime 0 byoyomi 100");
            answer = engine.wait_for("bestmove");
            fastest = std::min(fastest, std::chrono::steady_clock::now() - before);
        }
        EXPECT_LE(fastest, 100ms) << "at ply " << ply;
        const auto words = base::split_words(answer);
        if (words[1] == "resign" || words[1] == "win") break;
        moves.append(" ").append(words[1]);
    }
}

TEST(UsiProgram, PondersAndHearsHitsAtAnyMoment) {
    UsiSession engine;
    get_ready(engine);
    for (const auto delay : {0ms, 0ms, 0ms, 1ms, 5ms, 50ms}) {
        engine.send("position startpos moves 7g7f 3c3d");
        engine.send("go ponder");
        std::this_thread::sleep_for(delay);
        engine.send("ponderhit btime 0 wtime 0 byoyomi 100");
        engine.read_until("bestmove", 10s);
    }
    engine.send("setoption name Stochastic_Ponder value true");
    engine.send("position startpos moves 7g7f 3c3d");
    engine.send("go ponder btime 0 wtime 0 byoyomi 100");
    engine.send("ponderhit");
    expect_sound(engine.read_until("bestmove", 10s), "startpos moves 7g7f 3c3d");
    engine.send("go ponder");
    engine.send("stop");
    expect_sound(engine.read_until("bestmove", 10s), "startpos moves 7g7f 3c3d");
}

TEST(UsiProgram, DeclaresTheWinResignsAndSeesMates) {
    UsiSession engine;
    get_ready(engine);
    // Ten pieces beside the king in the camp and 30 points.
    engine.send("position sfen +P+P+P+PK+P3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b 2R2B4G4S4N4L8P 1");
    engine.send("go nodes 1000");
    EXPECT_EQ(engine.wait_for("bestmove"), "bestmove win");
    engine.send("position sfen 4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1");
    engine.send("go nodes 1000");
    EXPECT_EQ(engine.wait_for("bestmove"), "bestmove resign");
    engine.send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    engine.send("go nodes 1000");
    const auto lines = engine.read_until("bestmove");
    EXPECT_THAT(lines, Contains(HasSubstr("score mate 1 ")));
    EXPECT_THAT(lines.back(), StartsWith("bestmove G*5b"));
}

TEST(UsiProgram, SurvivesHostileInput) {
    UsiSession engine;
    get_ready(engine);
    std::mt19937 random(1);
    std::string binary(100000, '\0');
    for (char& c : binary)
        c = static_cast<char>(random() % 256);
    engine.send_raw(binary + "\n");
    engine.send(std::string(1 << 20, 'z'));
    engine.send("position startpos moves " + std::string(1 << 20, '7'));
    engine.send("setoption name " + std::string(1 << 20, 'n') + " value 1");
    for (const auto* line : {"position sfen kkkkkkkkk/k8/9/9/9/9/9/9/9 b - 1",
                             "position sfen 9/9/9/9/9/9/9/9/9 b - 1",
                             "position startpos moves 7g7f 7g7f",
                             "position sfen",
                             "position foo",
                             "position",
                             "go depth",
                             "stop",
                             "go nodes 99999999999999999999999999 depth 2",
                             "stop",
                             "go searchmoves",
                             "stop",
                             "setoption",
                             "setoption name",
                             "setoption name Threads value 0",
                             "setoption name USI_Hash value 999999999999",
                             "ponderhit",
                             "gameover",
                             "moves 1 2 3",
                             "perft x",
                             "getoption nothing",
                             "bench x",
                             "go mate",
                             "usi usi",
                             "d d d"})
        engine.send(line);
    for (int i = 0; i < 2000; ++i)
        engine.send("stop");
    // Half a line, and the rest of it later.
    engine.send("position startpos");
    engine.send_raw("go no");
    std::this_thread::sleep_for(20ms);
    engine.send_raw("des 100\nisready\n");
    engine.send("go depth 3");
    engine.send("quit");
    const auto lines = engine.read_all();
    EXPECT_THAT(lines, Contains("readyok"));
    EXPECT_THAT(lines, Contains(HasSubstr("option Threads accepts")));
    const auto answers = std::count_if(lines.begin(), lines.end(),
                                       [](const std::string& line) { return line.substr(0, 9) == "bestmove "; });
    EXPECT_EQ(answers, 5) << "one for every go, the last two included";
    expect_clean_end(engine);
}

TEST(UsiProgram, EndsWhenToldToOrWhenTheInputEnds) {
    for (const bool polite : {true, false})
        for (const auto* work :
             {"", "go infinite", "go ponder", "go btime 600000 wtime 600000 byoyomi 10000", "isready"}) {
            UsiSession engine;
            get_ready(engine);
            if (*work != '\0') engine.send(work);
            std::this_thread::sleep_for(10ms);
            if (polite)
                engine.send("quit");
            else
                engine.close_input();
            const auto status = engine.wait(5s);
            ASSERT_TRUE(status.has_value()) << work;
            EXPECT_TRUE(status->success()) << work << status->describe();
        }
}

TEST(UsiProgram, PlaysTheRecordedConversationsOfAGui) {
    const auto folder = test::shared_data("protocol/usi-csa");
    if (folder.empty()) GTEST_SKIP() << "the recorded conversations are not here";
    int conversations = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream log(entry.path() / "usi.log");
        UsiSession engine;
        engine.send("setoption name USI_Hash value 16");
        engine.send("setoption name NodesLimit value 500");
        engine.send("setoption name MinimumThinkingTime value 0");
        engine.send("setoption name RoundUpToFullSecond value false");
        bool thinking = false;
        int steps = 0;
        // In the first conversation three thousand lines repeat what sixty show.
        for (std::string line; std::getline(log, line) && steps < 60; ++steps) {
            const std::string_view said = std::string_view(line).substr(0, 5);
            const std::string text = line.size() > 5 ? line.substr(5) : "";
            if (said == "recv:") {
                if (text.substr(0, 18) == "setoption name USI") continue;  // it would undo our small table
                engine.send(text);
                thinking = thinking || text.substr(0, 2) == "go";
            } else if (text == "usiok" || text == "readyok") {
                engine.wait_for(text);
            } else if (text.substr(0, 8) == "bestmove" && thinking) {
                engine.read_until("bestmove", 20s);
                thinking = false;
            }
        }
        engine.send("quit");
        const auto status = engine.wait();
        ASSERT_TRUE(status && status->success()) << entry.path();
        ++conversations;
    }
    EXPECT_EQ(conversations, 34);
}

}  // namespace
}  // namespace tsumugi
