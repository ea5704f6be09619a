// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/tool/game_line.hpp"

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/archive.hpp"
#include "support/position.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::record::tool {
namespace {

TEST(GameLines, ComeFromRecordsAndArchivesInTheOrderTheyAreNamed) {
    const test::TempFolder folder;
    std::ofstream(folder / "two.usi") << "startpos moves 7g7f 3c3d\nstartpos moves 2g2f\n";
    {
        auto writer = ArchiveWriter::open(folder / "games.tsa");
        ASSERT_TRUE(writer.ok());
        ArchivedGame game;
        game.plies = {{test::usi("5g5f")}, {test::usi("5c5d")}};
        ASSERT_TRUE(writer->add(game).ok());
        ASSERT_TRUE(writer->flush().ok());
    }
    const std::vector<std::string> inputs{(folder / "two.usi").string(), (folder / "games.tsa").string()};
    const auto lines = read_game_lines(inputs);
    ASSERT_TRUE(lines.ok()) << lines.error().message;
    ASSERT_EQ(lines->size(), 3U);
    EXPECT_THAT((*lines)[0].moves, testing::ElementsAre(test::usi("7g7f"), test::usi("3c3d")));
    EXPECT_THAT((*lines)[2].moves, testing::ElementsAre(test::usi("5g5f"), test::usi("5c5d")));
    EXPECT_EQ((*lines)[2].start, shogi::Setup::even());
    EXPECT_EQ(read_game_lines(inputs, 2)->size(), 2U);
}

TEST(GameLines, EndBeforeTheFirstIllegalMove) {
    const test::TempFolder folder;
    std::ofstream(folder / "bad.usi") << "startpos moves 7g7f 3c3d 2h2c 8c8d\n";
    const auto lines = read_game_lines({(folder / "bad.usi").string()});
    ASSERT_TRUE(lines.ok());
    EXPECT_EQ(lines->front().moves.size(), 2U);
}

TEST(GameLines, SayWhichFileHoldsNoGames) {
    const test::TempFolder folder;
    std::ofstream(folder / "noise.dat") << "\1\2\3";
    EXPECT_THAT(read_game_lines({(folder / "noise.dat").string()}).error().message, testing::HasSubstr("noise.dat"));
    EXPECT_FALSE(read_game_lines({"no such file"}).ok());
}

}  // namespace
}  // namespace tsumugi::record::tool
