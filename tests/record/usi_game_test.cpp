// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/usi_game.hpp"

#include <gtest/gtest.h>

#include "record/sfen.hpp"
#include "support/data.hpp"

namespace tsumugi::record {
namespace {

std::string usi_game_error(std::string_view line) {
    const auto game = parse_usi_game(line);
    return game.ok() ? "no error" : game.error().message;
}

TEST(UsiGame, ReadsTheThreeWaysToStart) {
    EXPECT_EQ(to_usi_game(parse_usi_game("startpos").value()), "startpos");
    EXPECT_EQ(to_usi_game(parse_usi_game("position  startpos moves 7g7f\t3c3d 8h2b+ ").value()),
              "startpos moves 7g7f 3c3d 8h2b+");
    const std::string_view mate = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 12 moves G*5b";
    EXPECT_EQ(to_usi_game(parse_usi_game(mate).value()), mate);
    EXPECT_EQ(to_usi_game(parse_usi_game("sfen " + std::string(even_sfen) + " moves 7g7f").value()),
              "startpos moves 7g7f");
    EXPECT_EQ(parse_usi_game("startpos moves")->main_moves().size(), 0U);
}

TEST(UsiGame, NamesTheColumnOfAMistake) {
    EXPECT_EQ(usi_game_error(""), "column 1: expected 'startpos' or 'sfen'");
    EXPECT_EQ(usi_game_error("position"), "column 1: expected 'startpos' or 'sfen'");
    EXPECT_EQ(usi_game_error("position begin"), "column 10: expected 'startpos' or 'sfen', got 'begin'");
    EXPECT_EQ(usi_game_error("startpos 7g7f"), "column 10: expected 'moves', got '7g7f'");
    EXPECT_EQ(usi_game_error("startpos moves 7g7f 3c3z").find("column 21: "), 0U);
    EXPECT_EQ(usi_game_error("sfen moves 7g7f"), "column 16: nothing follows 'sfen'");
    EXPECT_EQ(usi_game_error("sfen 9/9 b - 1 moves 7g7f").find("column 6: SFEN board"), 0U);
}

TEST(UsiGame, SelfPlayGamesSurvive) {
    const auto file = test::shared_data("games/selfplay-100.usi");
    if (file.empty()) GTEST_SKIP() << "the collection of games is not beside the checkout";
    std::istringstream lines(test::read_file(file));
    int games = 0;
    std::size_t moves = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto game = parse_usi_game(line);
        ASSERT_TRUE(game.ok()) << game.error().message;
        const std::string written = to_usi_game(*game);
        EXPECT_EQ(parse_usi_game(written).value(), *game);
        moves += game->main_moves().size();
        ++games;
    }
    EXPECT_EQ(games, 100);
    EXPECT_EQ(moves, 12543U);
}

}  // namespace
}  // namespace tsumugi::record
