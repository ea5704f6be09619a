// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal_game.hpp"

#include <deque>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/board_text.hpp"
#include "base/file.hpp"
#include "record/kif.hpp"
#include "support/position.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::app {
namespace {

using testing::HasSubstr;
using testing::Not;

// Plays the first legal move.
class FirstMove : public think::Player {
public:
    [[nodiscard]] std::string name() const override { return "First"; }
    [[nodiscard]] std::string author() const override { return "tests"; }
    think::OptionSet& options() override { return options_; }
    base::Result<void> prepare() override { return {}; }
    void new_game() override {}
    void game_over(think::GameResult) override {}
    think::Answer think(const shogi::Position& position, const think::Limits&, think::Observer&,
                        std::stop_token) override {
        shogi::MoveList moves;
        shogi::legal_moves(position, moves);
        think::Answer answer;
        answer.kind = think::Answer::Kind::move;
        answer.move = moves[0];
        return answer;
    }

private:
    think::OptionSet options_;
};

std::string play(std::deque<std::string> lines, TerminalGame::Settings settings = {}) {
    FirstMove player;
    std::string output;
    auto game = TerminalGame::start(
        std::move(settings), player,
        [&]() -> std::optional<std::string> {
            if (lines.empty()) return std::nullopt;
            std::string line = lines.front();
            lines.pop_front();
            return line;
        },
        [&](std::string_view text) { output += text; });
    if (!game) throw std::runtime_error(game.error().message);
    const auto result = game->run();
    return result ? output : result.error().message;
}

TEST(TerminalGame, UnderstandsBothNotations) {
    const shogi::Position start = shogi::Position::even();
    for (const auto* text : {"7g7f", "７六歩", "▲７六歩", "7六歩", "76歩"})
        EXPECT_EQ(*TerminalGame::read_move(text, start), test::usi("7g7f")) << text;
    EXPECT_THAT(TerminalGame::read_move("7g7e", start).error().message, HasSubstr("not legal"));
    EXPECT_THAT(TerminalGame::read_move("hello", start).error().message, HasSubstr("help"));
    shogi::Position later = start;
    for (const auto* move : {"7g7f", "3c3d", "8h2b+"})
        later.do_move(test::usi(move));
    EXPECT_EQ(*TerminalGame::read_move("同銀", later), test::usi("3a2b"));
}

TEST(TerminalGame, PlaysTakesBackHintsAndResigns) {
    const std::string output = play({"hint", "7g7f", "undo", "undo", "２六歩", "nonsense", "7g7d", "help", "投了"});
    EXPECT_THAT(output, HasSubstr("1 ▲７六歩"));
    EXPECT_THAT(output, HasSubstr("there is no move to take back"));
    EXPECT_THAT(output, HasSubstr("1 ▲２六歩"));
    EXPECT_THAT(output, HasSubstr("'nonsense' is neither"));
    EXPECT_THAT(output, HasSubstr("7g7d is not legal"));
    EXPECT_THAT(output, HasSubstr("まで2手で後手の勝ち"));
}

TEST(TerminalGame, SavesTheRecordAlsoWhenTheInputEnds) {
    const test::TempFolder folder;
    TerminalGame::Settings settings;
    settings.save_to = folder / "game.kifu";
    play({"7g7f"}, settings);
    const auto text = base::read_file(folder / "game.kifu");
    ASSERT_TRUE(text.ok());
    const auto game = record::parse_kif(*text);
    ASSERT_TRUE(game.ok());
    EXPECT_EQ(game->main_moves().size(), 2U);
    EXPECT_EQ(game->main_ending(), record::Ending::interrupted);
    EXPECT_EQ(*game->header("後手"), "First");
}

TEST(TerminalGame, EndsByMateAndRepetition) {
    TerminalGame::Settings mate;
    mate.start = test::position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").setup();
    EXPECT_THAT(play({"G*5b"}, mate), HasSubstr("まで1手で先手の勝ち"));
    TerminalGame::Settings both;
    both.person = {true, true};
    std::deque<std::string> dance;
    for (int i = 0; i < 3; ++i)
        for (const auto* move : {"2h3h", "8b7b", "3h2h", "7b8b"})
            dance.emplace_back(move);
    EXPECT_THAT(play(dance, both), HasSubstr("千日手"));
}

TEST(BoardText, MarksTheLastMove) {
    shogi::Position position = shogi::Position::even();
    EXPECT_THAT(board_text(position), Not(HasSubstr("*")));
    position.do_move(test::usi("7g7f"));
    EXPECT_THAT(board_text(position), HasSubstr(" 歩*"));
    EXPECT_THAT(board_text(position), HasSubstr("v玉"));
}

}  // namespace
}  // namespace tsumugi::app
