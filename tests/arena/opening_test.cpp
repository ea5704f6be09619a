// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/opening.hpp"

#include <set>

#include <gtest/gtest.h>

#include "record/sfen.hpp"
#include "support/data.hpp"

namespace tsumugi::arena {
namespace {

constexpr std::size_t whole = std::numeric_limits<std::size_t>::max();

TEST(OpeningSuite, ReadsMoveListsAndPositions) {
    const auto lists = OpeningSuite::parse("startpos moves 7g7f 3c3d\nstartpos\n", whole);
    ASSERT_TRUE(lists.ok()) << lists.error().message;
    ASSERT_EQ(lists->size(), 2U);
    EXPECT_EQ(lists->at(0).moves.size(), 2U);
    EXPECT_EQ(lists->at(0).text(), "startpos moves 7g7f 3c3d");
    EXPECT_EQ(lists->at(0).position().history(), 2U);
    EXPECT_EQ(lists->at(1).text(), "startpos");
    EXPECT_EQ(lists->at(2).text(), lists->at(0).text()) << "after the last comes the first";

    const std::string sfen = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    const auto positions = OpeningSuite::parse(sfen + "\n", whole);
    ASSERT_TRUE(positions.ok()) << positions.error().message;
    EXPECT_EQ(positions->at(0).text(), "sfen " + sfen);
}

TEST(OpeningSuite, CutsGamesToAnOpening) {
    const auto suite = OpeningSuite::parse("startpos moves 7g7f 3c3d 2g2f 8c8d\n", 3);
    ASSERT_TRUE(suite.ok());
    EXPECT_EQ(suite->at(0).moves.size(), 3U);
}

TEST(OpeningSuite, RefusesWhatCannotBePlayedAndSaysWhere) {
    const auto illegal = OpeningSuite::parse("startpos moves 7g7f\nstartpos moves 7g7f 7g7f\n", whole);
    ASSERT_FALSE(illegal.ok());
    EXPECT_NE(illegal.error().message.find("line 2"), std::string::npos) << illegal.error().message;
    EXPECT_FALSE(OpeningSuite::parse("sfen 4k4/9/9/9/9/9/3+r5/4g4/4K4 b - 1\n", whole).ok()) << "already mate";
    EXPECT_FALSE(OpeningSuite::parse("", whole).ok());
    EXPECT_FALSE(OpeningSuite::load("/nonexistent/openings.sfen").ok());
}

TEST(OpeningSuite, ShufflesTheSameWayForTheSameSeed) {
    std::string text;
    for (const char file : std::string("123456789"))
        text += std::string("startpos moves ") + file + "g" + file + "f\n";
    auto plain = *OpeningSuite::parse(text, whole);
    auto one = plain;
    auto two = plain;
    auto other = plain;
    one.shuffle(7);
    two.shuffle(7);
    other.shuffle(8);
    std::set<std::string> seen;
    bool moved = false;
    bool differs = false;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        EXPECT_EQ(one.at(i).text(), two.at(i).text());
        moved = moved || one.at(i).text() != plain.at(i).text();
        differs = differs || one.at(i).text() != other.at(i).text();
        seen.insert(one.at(i).text());
    }
    EXPECT_TRUE(moved);
    EXPECT_TRUE(differs);
    EXPECT_EQ(seen.size(), plain.size());
}

TEST(OpeningSuite, TakesTheLinesOfABook) {
    const auto suite = OpeningSuite::load(test::own_data("book/sample.db"), 2);
    ASSERT_TRUE(suite.ok()) << suite.error().message;
    std::set<std::string> lines;
    for (std::size_t i = 0; i < suite->size(); ++i)
        lines.insert(suite->at(i).text());
    EXPECT_EQ(lines,
              (std::set<std::string>{"startpos moves 5g5f", "startpos moves 2g2f 8c8d", "startpos moves 2g2f 3c3d",
                                     "startpos moves 7g7f 8c8d", "startpos moves 7g7f 3c3d"}));
    EXPECT_EQ(suite->size(), lines.size());
    EXPECT_EQ(OpeningSuite::load(test::own_data("book/sample.db"), 1)->size(), 3U);
}

TEST(OpeningSuite, ReadsAPublishedCollection) {
    const auto file = test::shared_data("openings/balanced-ply24-2016.sfen");
    if (file.empty()) GTEST_SKIP() << "the collection is not beside the checkout";
    const auto suite = OpeningSuite::load(file);
    ASSERT_TRUE(suite.ok()) << suite.error().message;
    EXPECT_GT(suite->size(), 1000U);
}

}  // namespace
}  // namespace tsumugi::arena
