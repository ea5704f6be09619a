// SPDX-License-Identifier: GPL-3.0-or-later
// A group of engines as a GUI sees it: through pipes.

#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/usi_session.hpp"
#include "protocol/usi_text.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::app {
namespace {

using namespace std::chrono_literals;
using test::UsiSession;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

// Two copies inside, one copy behind a pipe, and a program that ends when it is asked for a move.
std::string write_group(const test::TempFolder& folder) {
    const std::string file = (folder / "group.toml").string();
    std::ofstream(file) << R"(
name = "Group"
rule = "leader"

[[player]]
name = "inside"
copies = 2
options = { USI_Hash = 1, EvalNoiseSigma = 50 }

[[player]]
name = "outside"
command = [")" TSUMUGI_BINARY R"("]
options = { USI_Hash = 1 }

[[player]]
name = "broken"
command = ["sh", "-c", "while read line; do case $line in usi) echo usiok;; isready) echo readyok;; go*) exit 3;; esac; done"]
)";
    return file;
}

void get_ready(UsiSession& group) {
    group.send("usi");
    group.wait_for("usiok");
    for (const auto* option : {"NetworkDelay2 value 100", "MinimumThinkingTime value 0",
                               "RoundUpToFullSecond value false", "USI_OwnBook value false"})
        group.send(std::string("setoption name ") + option);
    group.send("isready");
    group.wait_for("readyok");
    group.send("usinewgame");
}

void expect_legal(const std::string& bestmove, std::string_view position_text) {
    const auto position = protocol::parse_position(position_text);
    ASSERT_TRUE(position.ok());
    const auto answer = protocol::parse_bestmove(bestmove.substr(9), *position);
    ASSERT_TRUE(answer.ok()) << bestmove;
    EXPECT_EQ(answer->kind, think::Answer::Kind::move) << bestmove;
}

TEST(ConsultCommand, IsAUsiEngineThatShowsTheVotesAndKeepsToTheClock) {
    const test::TempFolder folder;
    UsiSession group({"consult", write_group(folder)});
    group.send("usi");
    EXPECT_THAT(group.read_until("usiok"), Contains("id name Group"));
    get_ready(group);
    for (const auto* position : {"startpos", "startpos moves 7g7f 3c3d"}) {
        group.send(std::string("position ") + position);
        group.send("go nodes 200");
        const auto lines = group.read_until("bestmove");
        expect_legal(lines.back(), position);
        for (const auto* name : {"inside1: ", "inside2: ", "outside: ", "broken: ", "decided: "})
            EXPECT_THAT(lines, Contains(StartsWith(std::string("info string ") + name)));
        EXPECT_THAT(lines, Contains(HasSubstr("of 3 votes")));
    }
    const auto before = std::chrono::steady_clock::now();
    group.send("go btime 0 wtime 0 byoyomi 2000");
    expect_legal(group.wait_for("bestmove"), "startpos moves 7g7f 3c3d");
    EXPECT_LT(std::chrono::steady_clock::now() - before, 2s);
    group.send("quit");
    const auto status = group.wait();
    ASSERT_TRUE(status.has_value()) << "still running";
    EXPECT_TRUE(status->success()) << status->describe();
}

TEST(ConsultCommand, StopsAndPonders) {
    const test::TempFolder folder;
    UsiSession group({"consult", write_group(folder)});
    get_ready(group);
    group.send("position startpos");
    group.send("go infinite");
    std::this_thread::sleep_for(200ms);
    auto before = std::chrono::steady_clock::now();
    group.send("stop");
    expect_legal(group.wait_for("bestmove"), "startpos");
    EXPECT_LT(std::chrono::steady_clock::now() - before, 1s);

    group.send("position startpos moves 7g7f 3c3d");
    group.send("go ponder btime 0 wtime 0 byoyomi 2000");
    std::this_thread::sleep_for(200ms);
    before = std::chrono::steady_clock::now();
    group.send("ponderhit");
    const auto lines = group.read_until("bestmove");
    EXPECT_LT(std::chrono::steady_clock::now() - before, 2s);
    expect_legal(lines.back(), "startpos moves 7g7f 3c3d");
    EXPECT_THAT(lines, Contains(StartsWith("info string broken: ")));
    group.close_input();
    EXPECT_TRUE(group.wait().has_value()) << "still running";
}

TEST(ConsultCommand, SaysWhatIsWrongWithTheFile) {
    const test::TempFolder folder;
    const std::string file = (folder / "bad.toml").string();
    std::ofstream(file) << "rule = \"lottery\"\n[[player]]\n";
    UsiSession group({"consult", file});
    EXPECT_TRUE(group.read_all().empty());
    const auto status = group.wait();
    ASSERT_TRUE(status.has_value());
    EXPECT_NE(status->number, 0);
}

}  // namespace
}  // namespace tsumugi::app
