// SPDX-License-Identifier: GPL-3.0-or-later
// Books as users meet them: through the command line and through USI.

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.hpp"
#include "app/usi_session.hpp"
#include "support/data.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::app {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

// Runs `tsumugi book` with these arguments.
test::ProgramRun run_book(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "book");
    return test::run_program(arguments);
}

const std::string sample = test::own_data("book/sample.db").string();

TEST(BookCommand, ConvertsComparesAndCounts) {
    const test::TempFolder folder;
    const std::string binary = (folder / "book.ybb").string();
    EXPECT_EQ(run_book({"convert", sample, "-o", binary}).status, 0);
    EXPECT_EQ(run_book({"convert", sample, "-o", binary}).status, 1) << "an existing file is kept";
    EXPECT_EQ(run_book({"check", binary}).status, 0);
    EXPECT_THAT(run_book({"stats", binary}).text, HasSubstr("positions        4"));
    EXPECT_EQ(run_book({"diff", sample, sample}).status, 0);
    EXPECT_EQ(run_book({"diff", sample, binary}).status, 1) << "the binary book has no counts";
    const std::string filtered = (folder / "filtered.db").string();
    EXPECT_EQ(run_book({"filter", sample, "-o", filtered, "--best", "1", "--last-ply", "2"}).status, 0);
    EXPECT_THAT(run_book({"stats", filtered}).text, HasSubstr("moves            3 "));
    const std::string merged = (folder / "merged.db").string();
    EXPECT_EQ(run_book({"merge", filtered, sample, "-o", merged}).status, 0);
    EXPECT_THAT(run_book({"stats", merged}).text, HasSubstr("moves            9 "));
    EXPECT_EQ(run_book({"sort", merged, "-o", (folder / "sorted.db").string()}).status, 0);
}

TEST(BookCommand, FindsPathsAndExportsLines) {
    EXPECT_EQ(run_book({"path", sample, "startpos moves 7g7f 3c3d 2g2f"}).text, "startpos moves 7g7f 3c3d 2g2f\n");
    EXPECT_EQ(run_book({"path", sample, "startpos moves 1g1f"}).status, 1);
    EXPECT_EQ(run_book({"export", sample, "--plies", "1"}).text,
              "startpos moves 2g2f\nstartpos moves 7g7f\nstartpos moves 5g5f\n");
}

TEST(BookCommand, MakesABookOfGamesAndBacksItsValuesUp) {
    const test::TempFolder folder;
    std::ofstream(folder / "games.usi") << "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 2g2f 8c8d\n";
    const std::string book = (folder / "book.db").string();
    EXPECT_EQ(run_book({"from-games", (folder / "games.usi").string(), "-o", book, "--all-moves"}).status, 0);
    EXPECT_THAT(run_book({"stats", book}).text, HasSubstr("moves            5 "));
    EXPECT_EQ(
        run_book({"from-games", (folder / "games.usi").string(), "-o", book, "--all-moves", "--watch", "often"}).status,
        1);
    const auto backed = run_book({"minimax", sample, "-o", (folder / "backed.ybb").string()});
    EXPECT_EQ(backed.status, 0);
    EXPECT_THAT(backed.text, HasSubstr("4 positions, 9 moves (3 inside the book"));
    EXPECT_THAT(run_book({"bench-minimax", "--positions", "20000"}).text, HasSubstr("20000 positions"));
}

TEST(BookCommand, ReplacesForeignFilesOnlyWhenTold) {
    const test::TempFolder folder(test::fast_place());
    const std::string foreign = (folder / "foreign.db").string();
    std::ofstream(foreign) << "somebody's work";
    std::ofstream(folder / "games.usi") << "startpos moves 7g7f 3c3d 2g2f\n";
    const std::string games = (folder / "games.usi").string();
    const std::string work = (folder / "new.work").string();
    const std::vector<std::vector<std::string>> commands{
        {"export", sample, "-o", foreign},
        {"from-games", games, "--all-moves", "-o", foreign},
        {"think", work, "-o", foreign, "--positions", "1", "--nodes", "40", "--net", "material", "--workers", "1"}};
    for (std::vector<std::string> command : commands) {
        const auto refused = run_book(command);
        EXPECT_EQ(refused.status, 1) << command[0];
        EXPECT_THAT(refused.errors, HasSubstr("foreign.db: exists already")) << command[0];
        EXPECT_EQ(test::read_file(foreign), "somebody's work") << command[0];
        EXPECT_EQ(folder.entries(), 2U) << command[0] << " leaves no workspace behind";
        command.push_back("--force");
        EXPECT_EQ(run_book(command).status, 0) << command[0];
        EXPECT_NE(test::read_file(foreign), "somebody's work") << command[0];
        command.pop_back();
        EXPECT_EQ(run_book(command).status, command[0] == "export" ? 1 : 0) << "its own book it may replace";
        for (const auto& each : std::filesystem::directory_iterator(folder.path()))
            if (each.path().string() != games) std::filesystem::remove(each.path());
        std::ofstream(foreign) << "somebody's work";
    }
}

TEST(BookCommand, SaysWhatIsWrongInOneSentence) {
    EXPECT_EQ(run_book({"stats", "/nonexistent/book.db"}).status, 1);
    EXPECT_EQ(run_book({"stats", "book.txt"}).status, 1);
    const test::TempFolder folder(test::fast_place());
    std::ofstream(folder / "random.bin") << std::string(1600, '?');
    const auto converted = run_book({"convert", (folder / "random.bin").string(), "-o", (folder / "out.db").string()});
    EXPECT_EQ(converted.status, 1);
    EXPECT_THAT(converted.errors, HasSubstr("none of the 1 keys"));
    EXPECT_EQ(run_book({"check", (folder / "random.bin").string()}).status, 1);
    EXPECT_EQ(folder.entries(), 1U);
    EXPECT_EQ(run_book({"sideways"}).status, 2);
}

TEST(BookCommand, LeavesNoWorkspaceBehindWhenTheCommandIsWrong) {
    const test::TempFolder folder(test::fast_place());
    const std::string work = (folder / "book.work").string();
    const std::string book = (folder / "book.db").string();
    std::ofstream(folder / "games.usi") << "startpos moves 7g7f 3c3d 2g2f\n";
    const std::string games = (folder / "games.usi").string();
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"from-games", games, "-o", (folder / "book.sbk").string()},
          {"from-games", (folder / "nowhere").string(), "-o", book},
          {"from-games", games, "-o", book, "--ratings", "nowhere"},
          {"think", work, "--root", "nonsense"},
          {"think", work, "--net", "nowhere"},
          {"duel", work, "-o", (folder / "book.bin").string()}}) {
        EXPECT_EQ(run_book(command).status, 1) << command.back();
        EXPECT_EQ(folder.entries(), 1U) << command.back();
    }
}

TEST(UsiBook, IsPlayedAndExplained) {
    test::UsiSession engine;
    engine.send("usi");
    EXPECT_THAT(engine.read_until("usiok"), Contains("option name BookFile type filename default user_book1.db"));
    engine.send("setoption name USI_Hash value 16");
    engine.send("setoption name BookFile value " + sample);
    engine.send("isready");
    engine.wait_for("readyok");
    engine.send("usinewgame");
    engine.send("position startpos");
    engine.send("go btime 60000 wtime 60000");
    const auto lines = engine.read_until("bestmove");
    EXPECT_THAT(lines, Contains(HasSubstr("5g5f is not played")));
    EXPECT_THAT(lines.back(), AnyOf("bestmove 2g2f ponder 8c8d", "bestmove 7g7f ponder 8c8d"));

    engine.send("position startpos moves 7g7f");
    engine.send("go ponder btime 60000 wtime 60000");
    engine.send("ponderhit");
    EXPECT_THAT(engine.read_until("bestmove").back(), AnyOf(StartsWith("bestmove 8c8d"), StartsWith("bestmove 3c3d")));

    engine.send("setoption name BookFile value /nonexistent/book.db");
    engine.send("isready");
    EXPECT_THAT(engine.read_until("readyok"), Contains(HasSubstr("/nonexistent/book.db")));
    engine.send("setoption name BookFile value no_book");
    engine.send("isready");
    engine.wait_for("readyok");
    engine.send("position startpos");
    engine.send("go nodes 1000");
    for (const std::string& line : engine.read_until("bestmove"))
        EXPECT_THAT(line, testing::Not(HasSubstr("info string book")));
    engine.send("quit");
    EXPECT_TRUE(engine.wait().has_value());
}

TEST(BookProgram, PlaysFromTheBuiltInBookUnlessToldOtherwise) {
    test::UsiSession engine;
    engine.send("setoption name USI_Hash value 16");
    for (const bool own_book : {true, false}) {
        engine.send(std::string("setoption name USI_OwnBook value ") + (own_book ? "true" : "false"));
        engine.send("isready");
        engine.wait_for("readyok");
        engine.send("position startpos");
        engine.send("go nodes 1000");
        const auto lines = engine.read_until("bestmove");
        EXPECT_EQ(std::any_of(lines.begin(), lines.end(),
                              [](const std::string& line) { return line.starts_with("info string book built-in: "); }),
                  own_book);
    }
}

TEST(BookCommand, MakesABookByPlayingAndThinking) {
    const test::TempFolder folder(test::fast_place());
    const std::string work = (folder / "book.work").string();
    const std::string file = (folder / "book.db").string();
    const std::vector<std::string> common{work, "-o", file, "--workers", "1", "--net", "material"};
    const auto made = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin() + 1, common.begin(), common.end());
        return run_book(arguments);
    };
    const auto played = made({"duel", "--games", "2", "--nodes", "60", "--opponent-nodes", "20", "--plies", "12"});
    EXPECT_EQ(played.status, 0) << played.errors;
    EXPECT_THAT(played.text, HasSubstr("book.db: "));
    const auto thought = made({"think", "--positions", "3", "--nodes", "50", "--lines", "2"});
    EXPECT_EQ(thought.status, 0) << thought.errors;
    EXPECT_EQ(run_book({"check", file}).status, 0);
    EXPECT_THAT(run_book({"explain", work}).text, AnyOf(HasSubstr(": game "), HasSubstr(": analysed")));
    EXPECT_THAT(run_book({"explain", work, "startpos moves 1g1f 1c1d 1f1e 1d1e"}).text, HasSubstr("does not have"));
    const auto looped = made({"loop", "--rounds", "1", "--games", "3", "--positions", "1", "--nodes", "40",
                              "--opponent-nodes", "20", "--think-nodes", "40"});
    EXPECT_EQ(looped.status, 0) << looped.errors;
    EXPECT_EQ(run_book({"think", work, "--root", "nonsense"}).status, 1);
    const std::string extended = (folder / "extended.work").string();
    const auto extension = run_book({"think", extended, "--from", file, "--positions", "1", "--nodes", "40", "--net",
                                     "material", "--workers", "1"});
    EXPECT_EQ(extension.status, 0) << extension.errors;
    EXPECT_THAT(run_book({"explain", extended}).text, HasSubstr(": from book.db"));
}

}  // namespace
}  // namespace tsumugi::app
