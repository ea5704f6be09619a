// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "support/data.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::app {
namespace {

using test::ProgramRun;
using test::run_program;
using testing::HasSubstr;

// Matsuyoi 31, whose shortest mate takes nine plies and needs a pawn.
const std::string nine = "2B6/2p6/+Rpkp5/9/3G5/9/9/9/L8 b Prb3g4s4n3l14p 1";

std::string own_problems() { return test::own_data("mate/problem.tsv").string(); }

TEST(MateCommand, ReadsWhatItWrites) {
    const test::TempFolder folder(test::fast_place());
    const auto file = [&](const char* name) { return (folder / name).string(); };
    const ProgramRun kif = run_program({"mate", nine, "--shortest", "--format", "kif"});
    EXPECT_THAT(kif.text, HasSubstr("詰み"));
    std::ofstream(file("nine.kif")) << kif.text;
    // The diagram in the middle of the record, alone.
    const auto begin = kif.text.find("後手の持駒");
    std::ofstream(file("nine.bod")) << kif.text.substr(begin, kif.text.find("手数") - begin);
    std::ofstream(file("nine.sfen")) << nine << "\n";
    for (const char* name : {"nine.kif", "nine.bod", "nine.sfen"}) {
        const ProgramRun again = run_program({"mate", file(name), "--shortest"});
        EXPECT_THAT(again.text, HasSubstr("mate in 9 (the shortest): 9c8b 7c8d")) << name << again.errors;
    }
    EXPECT_THAT(run_program({"mate", file("nine.kif"), "--format", "svg"}).text, HasSubstr("</svg>"));
}

TEST(MateCommand, KeepsToTheLimitOnPlies) {
    for (const bool shortest : {false, true}) {
        std::vector<std::string> words{"mate", nine, "--plies", "7"};
        if (shortest) words.emplace_back("--shortest");
        EXPECT_THAT(run_program(words).text, HasSubstr("no mate within 7 plies"));
        words[3] = "9";
        EXPECT_THAT(run_program(words).text, HasSubstr("mate in 9"));
    }
}

TEST(MateCommand, NamesTheOtherWaysToMate) {
    const ProgramRun sound = run_program({"mate", "3sks3/9/4+P4/9/9/+B8/9/9/9 b S2rb4gs4n4l17p 1", "--sound", "--all"});
    EXPECT_THAT(sound.text, HasSubstr("9f5b   mate in 3"));
    EXPECT_THAT(sound.text, HasSubstr("9f4a   no mate"));
    EXPECT_THAT(sound.text, HasSubstr("sound: the attacker has no other way to mate"));
    EXPECT_THAT(run_program({"mate", nine, "--shortest", "--sound"}).text, HasSubstr("not sound"));
}

TEST(MateCommand, GoesOnWhereAnInterruptedRunEnded) {
    const test::TempFolder folder(test::fast_place());
    const std::string results = (folder / "results.tsv").string();
    const std::vector<std::string> words{"mate", own_problems(), "--results", results, "--json"};
    const ProgramRun whole = run_program(words);
    ASSERT_EQ(whole.status, 0) << whole.errors;
    const std::string text = *base::read_file(results);
    // The third row is cut short, as if the program had been killed while it wrote.
    std::size_t third = 0;
    for (int i = 0; i < 3; ++i)
        third = text.find('\n', third) + 1;
    std::ofstream(results) << text.substr(0, third + 12);
    EXPECT_EQ(run_program(words).status, 0);
    const std::string again = *base::read_file(results);
    EXPECT_EQ(again.substr(0, third), text.substr(0, third));
    // Every problem has its row once; the broken one is the only line more.
    EXPECT_EQ(base::split_lines(again).size(), base::split_lines(text).size() + 1);
    EXPECT_EQ(run_program(words).json()[0]["problems"], whole.json()[0]["problems"]);
    EXPECT_EQ(*base::read_file(results), again) << "nothing is left to solve";
}

TEST(MateCommand, SaysWhyAPositionCannotBeSolved) {
    for (const auto& [problem, reason] :
         std::vector<std::pair<std::string, std::string>>{{"nowhere.kif", "there is no file"},
                                                          {"9/9/9/9/9/9/9/9/9 b - 1", "no king"},
                                                          {"4k4/9/9/9/9/9/9/9/9 w - 1", "not in check"}}) {
        const ProgramRun run = run_program({"mate", problem});
        EXPECT_EQ(run.status, 1);
        EXPECT_THAT(run.errors, HasSubstr(reason));
    }
}

}  // namespace
}  // namespace tsumugi::app
