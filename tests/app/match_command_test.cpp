// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/program.hpp"
#include "support/data.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::app {
namespace {

using test::ProgramRun;
using test::run_program;

// Two games between the engine inside and the same engine behind pipes.
std::vector<std::string> small_match(const test::TempFolder& folder) {
    return {"match",
            "--engine",
            "name=inside",
            "cmd=self",
            "--engine",
            "name=outside",
            "cmd=" TSUMUGI_BINARY,
            "--each",
            "nodes=50",
            "option.USI_Hash=1",
            "option.USI_OwnBook=false",
            "--games",
            "2",
            "--max-moves",
            "40",
            "--out",
            (folder / "match").string(),
            "--json"};
}

TEST(MatchCommand, PlaysOnceAndReportsAsOftenAsAsked) {
    const test::TempFolder folder;
    const ProgramRun first = run_program(small_match(folder));
    EXPECT_EQ(first.status, 0);
    const auto json = first.json();
    ASSERT_TRUE(json.is_object()) << first.text;
    EXPECT_EQ(json["games"], 2);
    EXPECT_EQ(json["pairings"][0]["pentanomial"], (std::vector<int>{0, 0, 1, 0, 0})) << "the same player twice";
    EXPECT_EQ(json["duplicates"], 1) << "and the same game";
    EXPECT_EQ(run_program(small_match(folder)).text, first.text) << "nothing is left to be played";
    const std::string page = (folder / "page.html").string();
    const ProgramRun report = run_program({"match", "report", (folder / "match").string(), "--json", "--html", page});
    EXPECT_EQ(report.text, first.text);
    EXPECT_NE(test::read_file(page).find("</html>"), std::string::npos);
}

TEST(MatchCommand, ReadsAFileAndWritesRecords) {
    const test::TempFolder folder;
    std::ofstream(folder / "m.toml") << "games = 2\nmax-moves = 20\nrecords = \"csa\"\nout = \"here\"\n"
                                        "[each]\nnodes = 20\n[[engine]]\nname = \"A\"\ncmd = \"self\"\n"
                                        "[[engine]]\nname = \"B\"\ncmd = \"self\"\n";
    const ProgramRun output = run_program({"match", (folder / "m.toml").string()});
    EXPECT_EQ(output.status, 0) << output.text;
    EXPECT_NE(output.text.find("A against B: 2 games"), std::string::npos) << output.text;
    EXPECT_TRUE(std::filesystem::exists(folder / "here/records/000002-B-A.csa"));
}

TEST(MatchCommand, RefusesWhatIsNotAMatch) {
    EXPECT_EQ(run_program({"match", "--engine", "name=A", "cmd=self", "nodes=1"}).status, 1);
    EXPECT_EQ(run_program({"match", "report", "/nonexistent"}).status, 1);
    EXPECT_EQ(run_program({"match", "--colour", "red"}).status, 2);
}

TEST(MatchCommand, FindsTheProgramItselfToSpeakUsi) {
    const ProgramRun output = run_program({"match", "--check-usi", TSUMUGI_BINARY, "--json"});
    EXPECT_EQ(output.status, 0) << output.text;
    EXPECT_EQ(output.json()["passed"], true);
}

TEST(TuneCommand, TunesAndGoesOn) {
    const test::TempFolder folder;
    const std::vector<std::string> command{"tune",
                                           "--engine",
                                           "cmd=self",
                                           "nodes=20",
                                           "option.USI_Hash=1",
                                           "--param",
                                           "LmrBase",
                                           "--param",
                                           "LmpBase",
                                           "step=2",
                                           "--iterations",
                                           "3",
                                           "--max-moves",
                                           "30",
                                           "--out",
                                           (folder / "tuning").string(),
                                           "--json"};
    const ProgramRun first = run_program(command);
    EXPECT_EQ(first.status, 0);
    EXPECT_EQ(first.json().size(), 2U) << first.text;
    EXPECT_EQ(run_program(command).text, first.text);
    EXPECT_EQ(run_program({"tune", "--engine", "cmd=self", "nodes=1", "--param", "Luck"}).status, 1);
}

}  // namespace
}  // namespace tsumugi::app
