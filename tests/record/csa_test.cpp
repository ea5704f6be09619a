// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/csa.hpp"

#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "record/encoding.hpp"
#include "record/sfen.hpp"
#include "record/usi_game.hpp"
#include "support/data.hpp"

namespace tsumugi::record {
namespace {

using std::chrono::milliseconds;

std::string text_of(const std::filesystem::path& file) { return decode(test::read_file(file)).value().text; }

Game only_game(std::string_view text) {
    auto games = parse_csa(text);
    EXPECT_EQ(games.size(), 1U);
    EXPECT_TRUE(games.at(0).ok()) << games.at(0).error().message;
    return games.at(0).value();
}

std::string csa_error(std::string_view text) {
    const auto games = parse_csa(text);
    if (games.size() != 1 || games[0].ok()) return "no error";
    return games[0].error().message;
}

TEST(Csa, ReadsTheExampleOfEveryVersionOfTheStandard) {
    for (const auto* file : {"v1.csa", "v2.csa", "v2_1.csa", "v2_2.csa", "formal.csa", "noeol.csa"}) {
        const Game game = only_game(text_of(test::own_data("csa") / file));
        EXPECT_EQ(to_usi_game(game), "startpos moves 2g2f 3c3d") << file;
        EXPECT_EQ(*game.header("先手"), "NAKAHARA") << file;
        EXPECT_EQ(*game.header("後手"), "YONENAGA") << file;
        EXPECT_EQ(game.main_ending(), Ending::interrupted) << file;
        EXPECT_EQ(game.node(1).time, milliseconds(12000)) << file;
        EXPECT_EQ(game.node(2).time, milliseconds(6000)) << file;
    }
    const Game newest = only_game(text_of(test::own_data("csa/v2_2.csa")));
    EXPECT_EQ(*newest.header("棋戦"), "13th World Computer Shogi Championship");
    EXPECT_EQ(*newest.header("場所"), "KAZUSA ARC");
    EXPECT_EQ(*newest.header("開始日時"), "2003/05/03 10:30:00");
    EXPECT_EQ(*newest.header("終了日時"), "2003/05/03 11:11:05");
    EXPECT_EQ(*newest.header("持ち時間"), "00:25+00");
    EXPECT_EQ(*newest.header("戦型"), "YAGURA");
}

TEST(Csa, ReadsAllWaysToDescribeAStart) {
    EXPECT_EQ(to_sfen(only_game("PI82HI22KA\n-\n").start),
              "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    EXPECT_EQ(to_sfen(only_game("P-51OU\nP+53FU00KI\nP-00AL\n+\n").start),
              "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    EXPECT_EQ(to_sfen(only_game(text_of(test::own_data("csa/tsumeshogi.csa"))).start),
              "9/9/3pp4/+r2k1p3/2L1+p4/2+R6/B8/B8/9 b 4g4s4n3l14p 1");
    EXPECT_EQ(to_sfen(only_game(text_of(test::own_data("csa/8mai_hirate.csa"))).start),
              "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    EXPECT_EQ(to_sfen(only_game(text_of(test::own_data("csa/9fu_komabetsu.csa"))).start),
              "7pk/7p1/7p1/7p1/7p1/7p1/7p1/7p1/7p1 b 2R4L4s4n 1");
}

TEST(Csa, AcceptsRanksWhoseTrailingSpacesWereRemoved) {
    const Game game = only_game("P1 *  *  *  * -OU\nP9 *  *  *  * +OU *  *  *  *\n+\n");
    EXPECT_EQ(to_sfen(game.start), "4k4/9/9/9/9/9/9/9/4K4 b - 1");
}

TEST(Csa, ReadsSeveralStatementsOnALineAndCommentsWithCommas) {
    const Game game = only_game("PI\n+\n+7776FU,T12,'* 30, and so on\n-3334FU,T3.25\n%TORYO,T1\n");
    EXPECT_EQ(to_usi_game(game), "startpos moves 7g7f 3c3d");
    EXPECT_EQ(game.node(1).time, milliseconds(12000));
    EXPECT_EQ(game.node(1).comment, " 30, and so on");
    EXPECT_EQ(game.node(2).time, milliseconds(3250));
    EXPECT_EQ(game.node(3).ending, Ending::resign);
    EXPECT_EQ(game.node(3).time, milliseconds(1000));
}

TEST(Csa, KeepsCommentsFromTheStartPositionOnAndFloodgatesEvaluations) {
    const Game game = only_game(
        "'about the file\n'*for the reader\nV2\nPI\n'about the position\n+\n+7776FU\n'** 113 -3334FU\n'second line\n");
    EXPECT_EQ(game.node(0).comment, "for the reader\nabout the position");
    EXPECT_EQ(game.node(1).comment, "* 113 -3334FU\nsecond line");
    EXPECT_NE(to_csa(game)->find("\n'** 113 -3334FU\n"), std::string::npos);
}

TEST(Csa, ReadsEveryEnding) {
    const std::map<std::string, Ending> endings{{"TORYO", Ending::resign},
                                                {"CHUDAN", Ending::interrupted},
                                                {"SENNICHITE", Ending::repetition},
                                                {"OUTE_SENNICHITE", Ending::perpetual_check},
                                                {"TIME_UP", Ending::time_up},
                                                {"ILLEGAL_MOVE", Ending::illegal_move},
                                                {"+ILLEGAL_ACTION", Ending::illegal_by_black},
                                                {"-ILLEGAL_ACTION", Ending::illegal_by_white},
                                                {"JISHOGI", Ending::impasse},
                                                {"KACHI", Ending::declaration_win},
                                                {"HIKIWAKE", Ending::draw},
                                                {"MAX_MOVES", Ending::max_moves},
                                                {"MATTA", Ending::takeback},
                                                {"TSUMI", Ending::mate},
                                                {"FUZUMI", Ending::no_mate},
                                                {"FUJITE", Ending::sealed},
                                                {"ERROR", Ending::error}};
    for (const auto& [name, ending] : endings) {
        const Game game = only_game("PI\n+\n%" + name + "\n");
        EXPECT_EQ(game.main_ending(), ending) << name;
        EXPECT_EQ(only_game(*to_csa(game)), game) << name;
    }
    const Game unknown = only_game("PI\n+\n%SOMETHING_NEW\n");
    EXPECT_EQ(unknown.main_ending(), Ending::interrupted);
    EXPECT_EQ(unknown.node(1).ending_text, "SOMETHING_NEW");
    EXPECT_EQ(only_game(*to_csa(unknown)), unknown);
}

TEST(Csa, AcceptsAnEndingThatIsStatedTwice) {
    EXPECT_EQ(only_game("PI\n+\n%KACHI,'* 5000\nT10\n%KACHI\n").node_count(), 2U);
    EXPECT_EQ(csa_error("PI\n+\n%KACHI\n%TORYO\n"), "line 4, column 1: the game has already ended");
}

TEST(Csa, GoesOnWithTheNextGameAfterABrokenOne) {
    const auto games =
        parse_csa("V2.2\nPI\n+\n+7776FU\n/\nPI\n+\n+7775FU\nrubbish\n/\nN+third\nPI\n-\n-3334FU\n%TORYO\n");
    ASSERT_EQ(games.size(), 3U);
    EXPECT_EQ(to_usi_game(games[0].value()), "startpos moves 7g7f");
    EXPECT_TRUE(games[1].ok() == false);
    EXPECT_NE(games[1].error().message.find("line 9, column 1"), std::string::npos) << games[1].error().message;
    EXPECT_EQ(*games[2]->header("先手"), "third");
    EXPECT_EQ(games[2]->main_ending(), Ending::resign);
    EXPECT_TRUE(parse_csa("V2.2\n'nothing here\n\n").empty());
}

TEST(Csa, NamesThePlaceAndTheReasonOfAMistake) {
    EXPECT_EQ(csa_error("PI\n+\n+7776FU,T1,-3334XX\n"),
              "line 3, column 17: expected a piece such as FU or RY, got 'XX'");
    EXPECT_EQ(csa_error("PI\n+\n-3334FU\n"), "line 3, column 1: '-3334FU' is a move of White, but it is Black's turn");
    EXPECT_EQ(csa_error("PI\n+\n+5554FU\n"), "line 3, column 1: there is nothing on 55, which cannot become FU");
    EXPECT_EQ(csa_error("PI\n+\n+7776TO\n+7776FU\n").find("line 4"), 0U);
    EXPECT_EQ(csa_error("PI\n+\n+8822RY\n"), "line 3, column 1: there is KA on 88, which cannot become RY");
    EXPECT_EQ(csa_error("PI\n+\nTx\n"), "line 3, column 1: a time must follow a move");
    EXPECT_EQ(csa_error("P1-XX\n+\n").find("line 1, column 4"), 0U);
    EXPECT_EQ(csa_error("PI55FU\n"), "line 1, column 3: this piece does not stand here at the start of an even game");
    EXPECT_EQ(csa_error("PI\n+\n%TORYO\n+7776FU\n"), "line 4, column 1: a move after the end of the game");
    EXPECT_EQ(csa_error("PI\n+\n+0055TO\n"), "line 3, column 1: TO cannot be dropped");
}

TEST(Csa, WritesBothVersionsSoThatTheyReadBackAlike) {
    const Game game = only_game(
        "'CSA encoding=UTF-8\nV3.0\nN+先手の人\nN-後手の人\n$EVENT:棋戦\n$TIME:900+10+0\n$MAX_MOVES:256\n$NOTE:note\n"
        "$OWN_KEYWORD:x\nP1 *  *  *  * -OU *  *  *  * \nP9 *  *  *  * +OU *  *  *  * "
        "\nP+00HI00FU00FU\nP-00KA\n-\n'*start\n"
        "-0055KA\nT1.5\n'*first\n'*\n'*third\n+0052HI\nT2\n%TORYO\n'*end\n");
    EXPECT_EQ(*game.header("持ち時間"), "900+10+0");
    EXPECT_EQ(*game.header("最大手数"), "256");
    EXPECT_EQ(only_game(*to_csa(game, CsaVersion::v3_0)), game);

    const std::string old = *to_csa(game, CsaVersion::v2_2);
    EXPECT_NE(old.find("$TIME_LIMIT:00:15+10\n"), std::string::npos);
    EXPECT_NE(old.find("-0055KA\nT1\n"), std::string::npos) << "V2.2 has whole seconds only";
    EXPECT_EQ(only_game(old).main_moves(), game.main_moves());
}

TEST(Csa, RefusesToWriteAMoveOfNoPiece) {
    const auto text = to_csa(parse_usi_game("startpos moves 5e5d").value());
    ASSERT_FALSE(text.ok());
    EXPECT_NE(text.error().message.find("5e5d"), std::string::npos);
}

TEST(Csa, WritesSeveralGamesIntoOneFile) {
    const std::vector<Game> games{parse_usi_game("startpos moves 7g7f").value(),
                                  parse_usi_game("startpos moves 2g2f 8c8d").value()};
    const auto back = parse_csa(*to_csa(games, CsaVersion::v3_0, Encoding::utf8));
    ASSERT_EQ(back.size(), 2U);
    EXPECT_EQ(*back[0], games[0]);
    EXPECT_EQ(*back[1], games[1]);
}

TEST(Csa, ChampionshipGamesEqualTheirUsiForm) {
    const auto table = test::shared_data("games/wcsc28.usi.tsv");
    if (table.empty()) GTEST_SKIP() << "the collection of games is not beside the checkout";
    int compared = 0;
    for (const auto& row : test::read_table(table)) {
        const Game game = only_game(text_of(test::shared_data("games/wcsc28") / (row.at(0) + ".csa")));
        EXPECT_EQ(to_usi_game(game), row.at(1)) << row[0];
        for (const auto version : {CsaVersion::v2_2, CsaVersion::v3_0}) {
            const std::string written = *to_csa(game, version);
            EXPECT_EQ(only_game(written), game) << row[0];
            EXPECT_NE(written.find("\n" + row.at(2) + "\n"), std::string::npos) << row[0];
        }
        ++compared;
    }
    EXPECT_EQ(compared, 262);
}

TEST(Csa, EveryFixtureFileIsReadAndSurvivesWriting) {
    int read = 0;
    for (const auto& folder : {test::own_data("csa"), test::shared_data("kifu")}) {
        if (folder.empty()) continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (entry.path().extension() != ".csa") continue;
            for (const auto& game : parse_csa(text_of(entry.path()))) {
                ASSERT_TRUE(game.ok()) << entry.path() << ": " << game.error().message;
                EXPECT_EQ(only_game(*to_csa(*game)), *game) << entry.path();
                ++read;
            }
        }
    }
    EXPECT_GE(read, 14) << "in the tree alone";
}

}  // namespace
}  // namespace tsumugi::record
