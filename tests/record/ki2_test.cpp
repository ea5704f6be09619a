// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/ki2.hpp"

#include <gtest/gtest.h>

#include "moves.hpp"
#include "record/encoding.hpp"
#include "record/kif.hpp"
#include "record/notation.hpp"
#include "record/sfen.hpp"
#include "shogi/attack.hpp"
#include "support/damage.hpp"
#include "support/jkf_twin.hpp"
#include "support/kifu_corpus.hpp"

namespace tsumugi::record {
namespace {

using shogi::Color;
using shogi::Move;
using shogi::Square;

Game read_ki2(std::string_view text) {
    auto game = parse_ki2(text);
    EXPECT_TRUE(game.ok()) << game.error().message;
    return game ? *game : Game();
}

// Times are the one thing that KI2 cannot hold.
Game without_times(Game game) {
    for (std::size_t i = 0; i < game.node_count(); ++i) {
        game.node(i).time.reset();
        game.node(i).total.reset();
    }
    return game;
}

TEST(Ki2, EveryFixtureIsReadAndWrittenWithoutLoss) {
    int files = 0;
    for (const auto& path : test::kifu_files({".ki2", ".ki2u"})) {
        const auto decoded = decode(test::read_file(path));
        ASSERT_TRUE(decoded.ok()) << path << ": " << decoded.error().message;
        const auto game = parse_ki2(decoded->text);
        ASSERT_TRUE(game.ok()) << path << ": " << game.error().message;
        const auto again = parse_ki2(to_ki2(*game));
        ASSERT_TRUE(again.ok()) << path << ": " << again.error().message << '\n' << to_ki2(*game);
        EXPECT_TRUE(*again == *game) << path << '\n' << to_ki2(*game);
        const auto kif = parse_kif(to_kif(*game));
        ASSERT_TRUE(kif.ok()) << path << ": " << kif.error().message;
        EXPECT_TRUE(*kif == *game) << path << '\n' << to_kif(*game);
        ++files;
    }
    EXPECT_GE(files, 6);
}

TEST(Ki2, HoldsWhatKifHoldsExceptTimes) {
    int files = 0;
    for (const auto& path : test::kifu_files({".kif", ".kifu"})) {
        const Game game = without_times(parse_kif(decode(test::read_file(path))->text).value());
        const auto again = parse_ki2(to_ki2(game));
        ASSERT_TRUE(again.ok()) << path << ": " << again.error().message << '\n' << to_ki2(game);
        EXPECT_TRUE(*again == game) << path << '\n' << to_ki2(game);
        ++files;
    }
    EXPECT_GE(files, 12);
}

TEST(Ki2, AgreesWithTheSameGamesInJson) {
    int twins = 0;
    for (auto path : test::kifu_files({".ki2", ".ki2u"})) {
        const auto decoded = decode(test::read_file(path));
        if (!std::filesystem::exists(path.replace_extension(".json"))) continue;
        const Game game = read_ki2(decoded->text);
        const auto json = nlohmann::json::parse(test::read_file(path));
        EXPECT_EQ(test::JkfTwin(game).compare(json) + 1, static_cast<int>(game.node_count())) << path;
        ++twins;
    }
    EXPECT_GE(twins, 1);
}

TEST(Ki2, IsWrittenLikeTheFixture) {
    // The rows of moves, spacing and relative notation included, come out exactly as another program wrote them.
    const std::string source = decode(test::read_file(test::own_data("kifu/simple.ki2")))->text;
    const std::string written = to_ki2(read_ki2(source));
    EXPECT_EQ(written.substr(written.find("▲")), source);
}

TEST(Ki2, ReadsEndingsFromTheClosingLines) {
    const Game game = read_ki2(decode(test::read_file(test::own_data("kifu/fork.ki2")))->text);
    std::vector<Ending> endings;
    for (std::size_t i = 0; i < game.node_count(); ++i)
        if (game.node(i).ending) endings.push_back(*game.node(i).ending);
    EXPECT_EQ(endings,
              (std::vector<Ending>{Ending::resign, Ending::interrupted, Ending::impasse, Ending::time_up,
                                   Ending::opponent_illegal, Ending::repetition, Ending::mate, Ending::no_mate}));
}

TEST(Ki2, EveryEndingSurvives) {
    for (int i = 0; i <= static_cast<int>(Ending::error); ++i) {
        const auto ending = static_cast<Ending>(i);
        if (ending == Ending::illegal_by_black || ending == Ending::illegal_by_white) continue;  // said by the turn
        Game game = read_ki2("▲７六歩");
        Node stop;
        stop.ending = ending;
        game.add(game.main_line().front(), stop);
        EXPECT_EQ(read_ki2(to_ki2(game)).main_ending(), ending) << to_ki2(game);
    }
}

TEST(Ki2, ReadsOtherMarksAndSpacing) {
    EXPECT_EQ(test::usi_moves(read_ki2("☗76歩☖３四歩　▲２二角成 ▽同銀")), "7g7f 3c3d 8h2b+ 3a2b ");
}

TEST(Ki2, LetsTheFirstMarkDecideWhoStartsADiagram) {
    std::string board = "後手の持駒：なし\n|v香 ・ ・ ・v玉 ・ ・ ・ ・|\n";
    for (int rank = 2; rank <= 9; ++rank)
        board += "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n";
    EXPECT_EQ(read_ki2(board + "△９二香").start.side_to_move, Color::white);
    EXPECT_FALSE(parse_ki2(board + "先手番\n△９二香").ok());
}

TEST(Ki2, SaysWhereAndWhatWasExpected) {
    const auto message = [](std::string_view text) {
        const auto game = parse_ki2(text);
        return game.ok() ? std::string("no error") : game.error().message;
    };
    EXPECT_EQ(message("▲７六歩    ▲３四歩"),
              "line 1, column 9: expected △ because it is the other side's turn, found '▲'");
    EXPECT_EQ(message("▲７六銀"),
              "line 1, column 2: no 銀 of black can go to ７六 as described, and none can be dropped there");
    EXPECT_EQ(message("▲５八金"),
              "line 1, column 2: 金 on ４九 ６九 can all go to ５八: say which by 右 左 直 上 寄 引");
    EXPECT_EQ(message("\n▲７六歩 x"),
              "line 2, column 6: expected a move such as ▲７六歩, a header such as '先手：', a comment after '*' or "
              "変化, found 'x'");
}

TEST(Ki2, SurvivesDamage) {
    int accepted = 0;
    for (const auto* file : {"fork.ki2", "9fu.ki2"})
        test::for_each_damaged(decode(test::read_file(test::own_data("kifu") / file))->text, 1000,
                               [&](const std::string& text) {
                                   const auto game = parse_ki2(text);
                                   if (!game) {
                                       EXPECT_TRUE(game.error().message.starts_with("line ")) << game.error().message;
                                       return;
                                   }
                                   ++accepted;
                                   const auto again = parse_ki2(to_ki2(*game));
                                   ASSERT_TRUE(again.ok()) << again.error().message << '\n' << to_ki2(*game);
                                   EXPECT_EQ(again->main_moves(), game->main_moves());
                               });
    EXPECT_GT(accepted, 100);
}

struct Relative {
    std::string_view sfen;
    std::string_view usi;
    std::string_view text;
};

// Positions with several pieces that can go to one square, after the rules of the Japan Shogi Association for
// relative notation: first the motion, then 直 for a gold or silver that steps straight ahead, then the side.
constexpr Relative relatives[] = {
    // golds beside and behind the square
    {"9/2G6/G8/9/9/9/9/9/9 b - 1", "9c8b", "８二金上"},
    {"9/2G6/G8/9/9/9/9/9/9 b - 1", "7b8b", "８二金寄"},
    // golds from left and right
    {"9/9/9/9/9/9/9/9/3G1G3 b - 1", "6i5h", "５八金左"},
    {"9/9/9/9/9/9/9/9/3G1G3 b - 1", "4i5h", "５八金右"},
    // straight ahead
    {"9/9/9/9/9/9/9/9/3GG4 b - 1", "5i5h", "５八金直"},
    {"9/9/9/9/9/9/9/9/3GG4 b - 1", "6i5h", "５八金左"},
    // three and more
    {"9/9/9/9/9/9/9/9/3SSS3 b - 1", "4i5h", "５八銀右"},
    {"9/9/9/9/9/9/3S1S3/9/3SSS3 b - 1", "6g5h", "５八銀左引"},
    {"9/9/9/9/9/9/3S1S3/9/3SSS3 b - 1", "6i5h", "５八銀左上"},
    {"9/9/9/9/9/9/3S1S3/9/3SSS3 b - 1", "5i5h", "５八銀直"},
    {"9/9/9/9/9/9/9/3+P5/3+P+P4 b - 1", "6h5h", "５八と寄"},
    {"9/9/9/9/9/9/9/3+P5/3+P+P4 b - 1", "6i5h", "５八と左上"},
    // White sees the board from the other side
    {"3g1g3/9/9/9/9/9/9/9/9 w - 1", "6a5b", "５二金右"},
    {"3g1g3/9/9/9/9/9/9/9/9 w - 1", "4a5b", "５二金左"},
    // knights, with and without promotion
    {"9/9/9/9/3N1N3/9/9/9/9 b - 1", "6e5c+", "５三桂左成"},
    {"9/9/9/9/3N1N3/9/9/9/9 b - 1", "4e5c", "５三桂右不成"},
    // rooks and bishops: motion first, sides when both move alike
    {"9/9/9/9/4R4/9/9/7R1/9 b - 1", "5e5h", "５八飛引"},
    {"9/9/9/9/4R4/9/9/7R1/9 b - 1", "2h5h", "５八飛寄"},
    {"9/9/9/9/9/9/9/9/R7R b - 1", "9i5i", "５九飛左"},
    {"9/9/9/9/9/9/9/9/R7R b - 1", "1i5i", "５九飛右"},
    // dragons and horses are left and right of one another, and never 直
    {"9/9/9/9/9/9/9/9/4+R+R3 b - 1", "5i5h", "５八龍左"},
    {"9/9/9/9/9/9/9/9/4+R+R3 b - 1", "4i5h", "５八龍右"},
    {"9/9/9/9/9/9/9/9/4+B+B3 b - 1", "5i5h", "５八馬左"},
    {"9/9/9/9/9/9/+B8/9/3+B5 b - 1", "9g8h", "８八馬"},
    // drops
    {"9/9/9/9/9/9/9/9/3G5 b G 1", "G*5h", "５八金打"},
    {"9/9/9/9/9/9/9/9/3G5 b G 1", "G*2h", "２八金"},
    {"9/9/9/9/9/9/9/9/9 b - 1", "G*2h", "２八金打"},
    // promotion is declined in words only where it was possible
    {"9/9/9/4S4/9/9/9/9/9 b - 1", "5d5c", "５三銀不成"},
    {"9/9/9/9/4S4/9/9/9/9 b - 1", "5e5d", "５四銀"},
    {"9/9/4S4/9/9/9/9/9/9 b - 1", "5c4d+", "４四銀成"},
    {"9/9/4+S4/9/9/9/9/9/9 b - 1", "5c4c", "４三成銀"},
    // moves that no piece of the kind can make
    {"9/9/9/9/9/9/4P4/9/9 b - 1", "5g5e", "５五歩(57)"},
    {"9/9/9/9/4p4/9/9/9/9 b - 1", "5e5f", "５六歩(55)"},
};

TEST(RelativeNotation, IsTheShortestThatNamesTheMove) {
    for (const Relative& row : relatives) {
        const auto setup = parse_sfen(row.sfen).value();
        EXPECT_EQ(to_japanese(setup, parse_usi_move(row.usi).value(), std::nullopt), row.text)
            << row.sfen << ' ' << row.usi;
    }
}

TEST(RelativeNotation, IsReadBackAsTheSameMove) {
    for (const Relative& row : relatives) {
        text::Cursor cursor(text::Line{row.text, 1});
        const auto written = read_move(cursor);
        ASSERT_TRUE(written.ok()) << written.error().message;
        EXPECT_TRUE(cursor.at_end()) << row.text;
        const auto move = resolve(parse_sfen(row.sfen).value(), *written, std::nullopt);
        ASSERT_TRUE(move.ok()) << move.error().message;
        EXPECT_EQ(to_usi(*move), row.usi) << row.text;
    }
}

TEST(RelativeNotation, NamesEveryPieceAroundASquareDifferently) {
    // As many pieces of a kind as a set allows around 5e, from both sides: each must get a name of its own.
    for (const char letter : {'S', 'G', 'P'})
        for (const bool black : {true, false})
            for (int mask = 1; mask < 512; ++mask) {
                shogi::Setup setup;
                setup.side_to_move = black ? Color::black : Color::white;
                const shogi::Kind kind = letter == 'S'   ? shogi::Kind::silver
                                         : letter == 'G' ? shogi::Kind::gold
                                                         : shogi::Kind::pro_pawn;
                for (int i = 0; i < 9; ++i)
                    if (i != 4 && (mask >> i & 1) != 0)
                        setup.put(Square::at(4 + i / 3, 4 + i % 3), shogi::Piece(setup.side_to_move, kind));
                for (int i = 0; i < 9; ++i) {
                    if (i == 4 || (mask >> i & 1) == 0) continue;
                    const Move move = Move::board(Square::at(4 + i / 3, 4 + i % 3), Square::at(5, 5));
                    const std::string text = to_japanese(setup, move, std::nullopt);
                    const bool possible = shogi::reach(setup.side_to_move, kind, move.from()).has(move.to());
                    EXPECT_EQ(text.find('(') == std::string::npos, possible) << text << ' ' << to_sfen(setup);
                    text::Cursor cursor(text::Line{text, 1});
                    const auto read_back = resolve(setup, read_move(cursor).value(), std::nullopt);
                    ASSERT_TRUE(read_back.ok()) << text << ": " << read_back.error().message;
                    EXPECT_EQ(*read_back, move) << text << ' ' << to_sfen(setup);
                }
            }
}

TEST(RelativeNotation, LetsAPinDecideBetweenPiecesTheTextDoesNotTellApart) {
    // The gold on 5h is pinned by the rook: only the other one can go to 4h.
    const auto setup = parse_sfen("4r4/9/9/9/9/9/9/4G4/4KG3 b - 1").value();
    text::Cursor cursor(text::Line{"４八金", 1});
    const auto move = resolve(setup, read_move(cursor).value(), std::nullopt);
    ASSERT_TRUE(move.ok()) << move.error().message;
    EXPECT_EQ(to_usi(*move), "4i4h");
    EXPECT_EQ(to_japanese(setup, *move, std::nullopt), "４八金上");
}

TEST(RelativeNotation, SpacesOutShortMovesToTheSameSquare) {
    const auto setup = parse_sfen("9/9/9/9/9/9/4S4/9/9 b - 1").value();
    const Move move = parse_usi_move("5g5f").value();
    EXPECT_EQ(to_japanese(setup, move, Square::at(5, 6)), "同　銀");
    const auto promotion = parse_sfen("9/9/9/4S4/9/9/9/9/9 b - 1").value();
    EXPECT_EQ(to_japanese(promotion, parse_usi_move("5d5c+").value(), Square::at(5, 3)), "同銀成");
    EXPECT_EQ(to_kif_move(promotion, parse_usi_move("5d5c+").value(), Square::at(5, 3)), "同　銀成(54)");
}

}  // namespace
}  // namespace tsumugi::record
