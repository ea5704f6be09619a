// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/game.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "record/handicap.hpp"
#include "record/sfen.hpp"
#include "support/data.hpp"

namespace tsumugi::record {
namespace {

using shogi::Color;
using shogi::Kind;
using shogi::Move;
using shogi::Setup;
using shogi::Square;

Node step(std::string_view usi) {
    Node node;
    node.move = parse_usi_move(usi).value();
    return node;
}

Node stop(Ending ending) {
    Node node;
    node.ending = ending;
    return node;
}

Setup after(std::string_view sfen, std::initializer_list<std::string_view> moves) {
    Setup setup = parse_sfen(sfen).value();
    for (const auto usi : moves)
        apply(setup, parse_usi_move(usi).value());
    return setup;
}

TEST(Game, MainLineFollowsTheFirstChildren) {
    Game game;
    const auto first = game.add(Game::root(), step("7g7f"));
    const auto reply = game.add(first, step("3c3d"));
    game.add(first, step("8c8d"));
    const auto end = game.add(reply, stop(Ending::resign));
    EXPECT_EQ(game.main_line(), (std::vector<std::size_t>{first, reply, end}));
    EXPECT_EQ(game.main_moves(), (std::vector<Move>{step("7g7f").move, step("3c3d").move}));
    EXPECT_EQ(game.main_ending(), Ending::resign);
    EXPECT_EQ(game.node(end).parent, reply);
}

TEST(Game, WithoutMovesHasNoEnding) {
    EXPECT_TRUE(Game().main_line().empty());
    EXPECT_FALSE(Game().main_ending().has_value());
}

TEST(Game, HeadersKeepTheirOrderAndAreReplacedInPlace) {
    Game game;
    game.set_header("先手", "a");
    game.set_header("後手", "b");
    game.set_header("先手", "c");
    ASSERT_EQ(game.headers.size(), 2U);
    EXPECT_EQ(game.headers[0].second, "c");
    EXPECT_EQ(*game.header("後手"), "b");
    EXPECT_EQ(game.header("棋戦"), nullptr);
}

TEST(Game, EqualityIgnoresTheOrderInWhichBranchesWereAdded) {
    Game depth_first;
    const auto a = depth_first.add(Game::root(), step("7g7f"));
    depth_first.add(a, step("3c3d"));
    depth_first.add(Game::root(), step("2g2f"));
    Game breadth_first;
    const auto b = breadth_first.add(Game::root(), step("7g7f"));
    breadth_first.add(Game::root(), step("2g2f"));
    const auto reply = breadth_first.add(b, step("3c3d"));
    EXPECT_EQ(depth_first, breadth_first);
    breadth_first.node(reply).comment = "x";
    EXPECT_FALSE(depth_first == breadth_first);
}

TEST(Game, EqualityMindsWhichBranchComesFirst) {
    Game one;
    one.add(Game::root(), step("7g7f"));
    one.add(Game::root(), step("2g2f"));
    Game other;
    other.add(Game::root(), step("2g2f"));
    other.add(Game::root(), step("7g7f"));
    EXPECT_FALSE(one == other);
}

TEST(Apply, CapturesPromotesAndDrops) {
    EXPECT_EQ(to_sfen(after(even_sfen, {"7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"})),
              "lnsgkg1nl/1r5s1/pppppp1pp/6p2/5B3/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 6");
}

TEST(Apply, SurvivesImpossibleMoves) {
    // An empty origin, a drop without a piece in hand, the capture of a king, and one rook more than a set holds.
    EXPECT_TRUE(after("9/9/9/9/9/9/9/9/9 b - 1", {"5e5d"}).at(Square::at(5, 4)).is_none());
    EXPECT_EQ(after("9/9/9/9/9/9/9/9/9 b - 1", {"P*5e"}).at(Square::at(5, 5)), shogi::Piece(Color::black, Kind::pawn));
    EXPECT_TRUE(after("4k4/4R4/9/9/9/9/9/9/9 b - 1", {"5b5a"}).hand(Color::black).empty());
    EXPECT_EQ(after("4r4/4R4/9/9/9/9/9/9/9 b 2R 1", {"5b5a"}).hand(Color::black).count(Kind::rook), 2);
}

TEST(Handicap, OfTheRightIsTheMirrorImageOfTheLeft) {
    // What White has on his first rank, from file 9 to file 1.
    const auto first_rank = [](std::string_view kif) {
        const std::string_view sfen = find_handicap_by_kif(kif)->sfen;
        return std::string(sfen.substr(0, sfen.find('/')));
    };
    for (const auto& [left, right] :
         {std::pair{"香落ち", "右香落ち"}, {"左五枚落ち", "五枚落ち"}, {"左七枚落ち", "右七枚落ち"}}) {
        std::string mirrored = first_rank(left);
        std::reverse(mirrored.begin(), mirrored.end());
        EXPECT_EQ(first_rank(right), mirrored) << left;
    }
}

TEST(Handicap, NamesAreInversesOfSetups) {
    EXPECT_EQ(all_handicaps().size(), 16U);
    for (const Handicap& handicap : all_handicaps()) {
        EXPECT_EQ(to_sfen(handicap.setup()), handicap.sfen);
        EXPECT_EQ(find_handicap(handicap.setup()), &handicap);
        EXPECT_EQ(find_handicap_by_kif(handicap.kif), &handicap);
        EXPECT_EQ(find_handicap_by_jkf(handicap.jkf), &handicap);
    }
    EXPECT_EQ(find_handicap_by_kif("九枚落ち"), nullptr);
    EXPECT_EQ(find_handicap_by_jkf("OTHER"), nullptr);
    EXPECT_EQ(find_handicap_by_kif("平手")->setup(), shogi::Setup::even());
}

TEST(Handicap, TakesAwayAsManyPiecesAsItsNameSays) {
    const std::map<std::string_view, std::ptrdiff_t> missing{
        {"HIRATE", 0}, {"KY", 1}, {"KY_R", 1}, {"KA", 1}, {"HI", 1},  {"HIKY", 2}, {"2", 2}, {"3", 3},
        {"4", 4},      {"5", 5},  {"5_L", 5},  {"6", 6},  {"7_L", 7}, {"7_R", 7},  {"8", 8}, {"10", 10}};
    for (const Handicap& handicap : all_handicaps()) {
        const auto setup = handicap.setup();
        EXPECT_EQ(std::count(setup.board.begin(), setup.board.end(), shogi::Piece()), 41 + missing.at(handicap.jkf))
            << handicap.kif;
    }
}

TEST(Handicap, AgreesWithTheSharedTable) {
    const auto path = test::shared_data("rules/initial-positions.tsv");
    if (path.empty()) GTEST_SKIP() << "no shared data beside the checkout";
    const std::map<std::string, std::string_view> names{{"standard", "平手"},
                                                        {"handicap-lance", "香落ち"},
                                                        {"handicap-right-lance", "右香落ち"},
                                                        {"handicap-bishop", "角落ち"},
                                                        {"handicap-rook", "飛車落ち"},
                                                        {"handicap-rook-lance", "飛香落ち"},
                                                        {"handicap-2pieces", "二枚落ち"},
                                                        {"handicap-4pieces", "四枚落ち"},
                                                        {"handicap-6pieces", "六枚落ち"},
                                                        {"handicap-8pieces", "八枚落ち"},
                                                        {"handicap-10pieces", "十枚落ち"}};
    int compared = 0;
    for (const auto& row : test::read_table(path)) {
        ASSERT_TRUE(names.contains(row[0])) << row[0];
        EXPECT_EQ(find_handicap_by_kif(names.at(row[0]))->sfen, row[1]);
        ++compared;
    }
    EXPECT_EQ(compared, 11);
}

}  // namespace
}  // namespace tsumugi::record
