// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/kif.hpp"

#include <gtest/gtest.h>

#include "moves.hpp"
#include "record/ending.hpp"
#include "record/handicap.hpp"
#include "record/sfen.hpp"
#include "support/damage.hpp"
#include "support/jkf_twin.hpp"
#include "support/kifu_corpus.hpp"

namespace tsumugi::record {
namespace {

using namespace std::chrono_literals;
using shogi::Color;

Game read_kif(std::string_view text) {
    auto game = parse_kif(text);
    EXPECT_TRUE(game.ok()) << game.error().message;
    return game ? *game : Game();
}

Game read_own(std::string_view file) {
    const auto decoded = decode(test::read_file(test::own_data("kifu") / file));
    EXPECT_TRUE(decoded.ok());
    return read_kif(decoded->text);
}

void expect_error(std::string_view text, std::string_view message) {
    const auto game = parse_kif(text);
    ASSERT_FALSE(game.ok()) << text;
    EXPECT_EQ(game.error().message, message);
}

TEST(Kif, EveryFixtureIsReadAndWrittenWithoutLoss) {
    int files = 0;
    for (const auto& path : test::kifu_files({".kif", ".kifu"})) {
        const auto decoded = decode(test::read_file(path));
        ASSERT_TRUE(decoded.ok()) << path << ": " << decoded.error().message;
        const auto game = parse_kif(decoded->text);
        ASSERT_TRUE(game.ok()) << path << ": " << game.error().message;
        const auto bytes = encode(to_kif(*game, decoded->encoding), decoded->encoding);
        ASSERT_TRUE(bytes.ok()) << path << ": " << bytes.error().message;
        const auto again = parse_kif(decode(*bytes)->text);
        ASSERT_TRUE(again.ok()) << path << ": " << again.error().message;
        EXPECT_TRUE(*again == *game) << path << '\n' << to_kif(*game);
        ++files;
    }
    EXPECT_GE(files, 12);
}

TEST(Kif, AgreesWithTheSameGamesInJson) {
    int twins = 0;
    for (auto path : test::kifu_files({".kif", ".kifu"})) {
        const auto decoded = decode(test::read_file(path));
        if (!std::filesystem::exists(path.replace_extension(".json"))) continue;
        const Game game = read_kif(decoded->text);
        const auto json = nlohmann::json::parse(test::read_file(path));
        EXPECT_EQ(test::JkfTwin(game).compare(json) + 1, static_cast<int>(game.node_count())) << path;
        ++twins;
    }
    EXPECT_GE(twins, 2);
}

TEST(Kif, ReadsMovesTimesHeadersAndTheEnding) {
    const Game game = read_own("noeol.kif");
    EXPECT_EQ(test::usi_moves(game), "7g7f 3c3d 8h2b+ ");
    EXPECT_EQ(game.main_ending(), Ending::interrupted);
    EXPECT_EQ(*game.header("先手"), "sente");
    EXPECT_EQ(game.headers.front().first, "開始日時");
    const auto line = game.main_line();
    ASSERT_EQ(line.size(), 4U);
    EXPECT_EQ(game.node(line[3]).time, 51s);
    EXPECT_EQ(game.node(line[3]).total, 56s);
}

TEST(Kif, DiagramOverrulesTheHandicapNamed) {
    const Game game = read_own("taichitsume.kif");
    EXPECT_EQ(*game.header("手合割"), "平手");
    EXPECT_EQ(to_sfen(game.start), "6+Pnl/6Sk1/6sp1/9/8P/9/9/9/9 b GS2r2b3gs3n3l15p 1");
    EXPECT_EQ(test::usi_moves(game), "S*1c 2a1c G*1b 2b1b 3b2a 1b2b 3a3b ");
    EXPECT_EQ(game.main_ending(), Ending::mate);
}

TEST(Kif, DrawsAMissingSetupEvenWithoutTheHandicapHeader) {
    const Game game = read_own("32ryu-cumbersome.kif");
    EXPECT_EQ(game.header("手合割"), nullptr);
    EXPECT_EQ(read_kif(to_kif(game)).start, game.start);
    EXPECT_FALSE(game.node(Game::root()).comment.empty());
}

TEST(Kif, LetsTheStrongerPlayerStartEveryHandicap) {
    for (const Handicap& handicap : all_handicaps()) {
        const Game game = read_kif("手合割：" + std::string(handicap.kif) + "　　\n");
        EXPECT_EQ(game.start, handicap.setup()) << handicap.kif;
        EXPECT_EQ(read_kif(to_kif(game)), game) << handicap.kif;
        EXPECT_EQ(to_kif(game).find('|'), std::string::npos) << "a named start needs no diagram";
    }
    EXPECT_EQ(read_own("8mai.kif").main_moves().size(), 25U);
}

TEST(Kif, NamesACustomaryStartThatWasNotNamed) {
    EXPECT_EQ(*read_kif("").header("手合割"), "平手");
    EXPECT_NE(to_kif(Game()).find("手合割：平手\n"), std::string::npos);
}

TEST(Kif, AttachesVariationsToTheLineListedLast) {
    const Game game = read_own("fork.kif");
    EXPECT_EQ(game.node(Game::root()).children.size(), 2U);
    const auto& first = game.node(game.node(Game::root()).children[0]);
    const auto& second = game.node(game.node(Game::root()).children[1]);
    EXPECT_EQ(first.children.size(), 2U);
    EXPECT_EQ(second.children.size(), 2U);
    EXPECT_EQ(to_usi(second.move), "2g2f");
}

TEST(Kif, MarksMovesThatHaveVariationsBehindThem) {
    const std::string text = to_kif(read_own("illegal.kif"));
    EXPECT_NE(text.find("   1 ７六歩(77)   +\n   2 ３四歩(33)\n   3 反則負け\nまで2手で先手の反則負け\n\n変化：1手\n"),
              std::string::npos)
        << text;
}

TEST(Kif, NumbersOnTheLinesDoNotMatter) {
    // The variation has two lines numbered 5: the second one is the sixth move.
    const Game game = read_own("fork-test.kif");
    std::size_t longest = 0;
    for (std::size_t node = 0; node < game.node_count(); ++node) {
        std::size_t depth = 0;
        for (std::size_t at = node; at != Game::root(); at = game.node(at).parent)
            ++depth;
        longest = std::max(longest, depth);
    }
    EXPECT_EQ(longest, 6U);
}

TEST(Kif, CountsVariationsFromTheFirstNumberPrinted) {
    const Game game = read_kif("  13 ７六歩(77)\n  14 ３四歩(33)\n変化：14手\n  14 ８四歩(83)\n");
    EXPECT_EQ(game.node(game.node(Game::root()).children[0]).children.size(), 2U);
}

TEST(Kif, KeepsCommentsAndBookmarksWhereTheyStand) {
    const Game game = read_kif("*before\n*\n   1 ７六歩(77)\n**評価値=80\n*\n*#x\n&mark\n   2 投了\n*end\n*\n");
    EXPECT_EQ(game.node(Game::root()).comment, "before\n");
    const auto line = game.main_line();
    EXPECT_EQ(game.node(line[0]).comment, "*評価値=80\n\n#x");
    EXPECT_EQ(game.node(line[0]).bookmark, "mark");
    EXPECT_EQ(game.node(line[1]).comment, "end\n");
    EXPECT_EQ(read_kif(to_kif(game)), game);
}

TEST(Kif, ReadsManyWaysToWriteTheSameMove) {
    for (const std::string_view text :
         {"1 ７六歩(77)", "   1 ７六歩(77)   ( 0:01/00:00:01)", "１ 76歩(77)", "1 ▲７六歩（７７）", "1\t７6歩(77)+",
          "1 ７六歩", "1 ７六歩(77) (00:01 / 00:00:01)  +", "1 ７六　歩(77)   ( 0:01/ )"})
        EXPECT_EQ(test::usi_moves(read_kif(text)), "7g7f ") << text;
    const std::string promoted =
        "手合割：その他\n後手の持駒：なし\n| ・ ・ ・ ・v王 ・ ・ ・ ・|\n| 全 杏 圭 ・ ・ ・ ・ ・ ・|\n";
    std::string board = promoted;
    for (int rank = 3; rank <= 9; ++rank)
        board += "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n";
    EXPECT_EQ(
        test::usi_moves(read_kif(board + "1 ９一成銀(92)\n2 ４一玉(51)\n3 ８一杏(82)\n4 ５一王(41)\n5 ７一成桂(72)")),
        "9b9a 5a4a 8b8a 4a5a 7b7a ");
}

TEST(Kif, TakesEveryKindOfLineEnd) {
    for (const std::string_view end : {"\n", "\r\n", "\r"}) {
        std::string text = "手合割：平手";
        text.append(end).append("1 ７六歩(77)").append(end).append(end).append("2 投了");
        EXPECT_EQ(read_kif(text).main_line().size(), 2U);
    }
}

TEST(Kif, EveryEndingSurvives) {
    for (int i = 0; i <= static_cast<int>(Ending::error); ++i) {
        const auto ending = static_cast<Ending>(i);
        Game game = read_kif("1 ７六歩(77)");
        Node stop;
        stop.ending = ending;
        game.add(game.main_line().front(), stop);
        const auto read_back = read_kif(to_kif(game)).main_ending();
        // KIF says whose foul it was only by whose turn it is.
        if (ending == Ending::illegal_by_black)
            EXPECT_EQ(read_back, Ending::opponent_illegal);
        else if (ending == Ending::illegal_by_white)
            EXPECT_EQ(read_back, Ending::illegal_move);
        else
            EXPECT_EQ(read_back, ending);
    }
}

TEST(Kif, KeepsTheWordTheSourceUsedForAnEnding) {
    const Game game = read_kif("1 ７六歩(77)\n2 時間切れ");
    EXPECT_EQ(game.main_ending(), Ending::time_up);
    EXPECT_NE(to_kif(game).find("2 時間切れ"), std::string::npos);
    EXPECT_EQ(read_kif("1 投了").node(1).ending_text, "");
}

TEST(Kif, TakesTheEndingFromTheClosingLineWhenNoMoveLineHasIt) {
    EXPECT_EQ(read_kif("1 ７六歩(77)\nまで1手で先手の勝ち").main_ending(), Ending::resign);
    EXPECT_FALSE(read_kif("1 ７六歩(77)\nまで").main_ending().has_value());
}

TEST(Kif, AddsUpTimesWhereNoTotalIsKnown) {
    Game game = read_kif("1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)");
    const auto line = game.main_line();
    game.node(line[0]).time = 61s;
    game.node(line[1]).time = 5s;
    game.node(line[2]).time = 3600s;
    const Game again = read_kif(to_kif(game));
    EXPECT_EQ(again.node(line[2]).total, 3661s);
    EXPECT_EQ(again.node(line[1]).total, 5s);
}

TEST(Kif, SaysWhereAndWhatWasExpected) {
    expect_error("手合割：平手\n\n   1 x六歩(77)", "line 3, column 6: expected a square such as ７六 or 同, found 'x'");
    expect_error("1 ７六", "line 1, column 5: expected a piece such as 歩 or 成銀, found the end of the line");
    expect_error("1 ７六歩(77) ( 0:xx/00:00:00)",
                 "line 1, column 15: expected a time such as 0:12 or 01:02:03, found 'x'");
    expect_error("1 同　歩(77)", "line 1, column 3: 同 needs a move before it");
    expect_error("1 ７五銀(66)", "line 1, column 3: no piece stands on ６六");
    expect_error("1 ７六銀(77)", "line 1, column 3: 銀 was said to move, but 歩 stands on ７七");
    expect_error("1 ７六歩(77)\n変化：9手\n",
                 "line 2, column 4: a variation at move 9 does not fit the line before it, which has 1 moves");
    expect_error("1 投了\n2 ７六歩(77)", "line 2, column 3: a move after the end of the game");
    expect_error("hello",
                 "line 1, column 1: expected a move such as '1 ７六歩(77)', a header such as '先手：', a comment after "
                 "'*' or 変化, found 'h'");
    expect_error("手合割：九枚落ち\n1 ７六歩(77)",
                 "line 2, column 3: 手合割 '九枚落ち' is none of the customary ones (平手, 香落ち, …), so a board "
                 "diagram must stand "
                 "before the moves");
}

TEST(Kif, SurvivesDamage) {
    int accepted = 0;
    int tried = 0;
    for (const auto* file : {"taichitsume.kif", "forks.kifu", "illegal.kif"})
        test::for_each_damaged(test::read_file(test::own_data("kifu") / file), 600, [&](const std::string& bytes) {
            ++tried;
            const auto text = decode(bytes);
            const auto game = parse_kif(text ? text->text : bytes);
            if (!game) {
                EXPECT_TRUE(game.error().message.starts_with("line ")) << game.error().message;
                return;
            }
            ++accepted;
            const auto again = parse_kif(to_kif(*game));
            ASSERT_TRUE(again.ok()) << again.error().message << '\n' << to_kif(*game);
            EXPECT_EQ(again->node_count(), game->node_count());
        });
    EXPECT_GT(accepted, 100);
    EXPECT_GT(tried, accepted);
}

}  // namespace
}  // namespace tsumugi::record
