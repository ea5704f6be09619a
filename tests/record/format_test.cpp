// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/format.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "record/sfen.hpp"
#include "record/usi_game.hpp"
#include "support/data.hpp"

namespace tsumugi::record {
namespace {

TEST(Format, IsKnownByNameAndExtension) {
    for (const Format format : all_formats) {
        EXPECT_EQ(find_format(name(format)), format);
        EXPECT_EQ(format_of_name("game." + std::string(name(format))), format);
    }
    EXPECT_EQ(format_of_name("GAME.KIFU"), Format::kif);
    EXPECT_EQ(format_of_name("a.b/game.ki2u"), Format::ki2);
    EXPECT_EQ(format_of_name("game.json"), Format::jkf);
    EXPECT_EQ(format_of_name("game.txt"), std::nullopt);
    EXPECT_EQ(format_of_name("kif"), std::nullopt);
}

TEST(Format, IsKnownByContent) {
    EXPECT_EQ(detect_format("# list\n\nposition startpos moves 7g7f\n"), Format::usi);
    EXPECT_EQ(detect_format(even_sfen), Format::sfen);
    EXPECT_EQ(detect_format("~0.7ku2jm.r\n"), Format::usen);
    EXPECT_EQ(detect_format("lnsgkgsnl_9_ppppppppp_9_9_9_PPPPPPPPP_1B5R1_LNSGKGSNL.w.-~0.0io."), Format::usen);
    EXPECT_EQ(detect_format("V2.2\nPI\n+\n"), Format::csa);
    EXPECT_EQ(detect_format("+7776FU\n"), Format::csa);
    EXPECT_EQ(detect_format(" {\"moves\":[]}"), Format::jkf);
    EXPECT_EQ(detect_format("手合割：平手\n▲７六歩"), Format::ki2);
    EXPECT_EQ(detect_format("手合割：平手\n   1 ７六歩(77)\n"), Format::kif);
    EXPECT_EQ(detect_format("手合割：平手\n"), Format::kif);
    EXPECT_EQ(detect_format("hello\nworld\n"), std::nullopt);
    EXPECT_EQ(detect_format(""), std::nullopt);
}

TEST(Format, OfEveryFixtureIsTheOneItsNameSays) {
    int files = 0;
    for (const auto& folder : {test::own_data("csa"), test::own_data("kifu"), test::shared_data("kifu")}) {
        if (folder.empty()) continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            const auto named = format_of_name(entry.path());
            if (!entry.is_regular_file() || !named) continue;
            const std::string bytes = test::read_file(entry.path());
            const GameFile with_hint = read_games(bytes, named);
            EXPECT_EQ(with_hint.format, named) << entry.path();
            EXPECT_TRUE(with_hint.problems.empty()) << with_hint.problems.at(0).text(entry.path().string());
            EXPECT_EQ(with_hint.games.size(), 1U) << entry.path();
            if (detect_format(decode(bytes)->text)) {
                EXPECT_EQ(read_games(bytes).format, named) << entry.path();
            }
            ++files;
        }
    }
    EXPECT_GE(files, 30);
}

TEST(ReadGames, GoesOnAfterBrokenGamesAndSaysWhereTheyAre) {
    const GameFile file = read_games("startpos moves 7g7f\n\nstartpos moves 7g7x\n# note\nstartpos moves 2g2f 8c8d\n");
    ASSERT_EQ(file.games.size(), 2U);
    EXPECT_EQ(file.lines, (std::vector<std::size_t>{1, 5}));
    EXPECT_EQ(to_usi_game(file.games[1]), "startpos moves 2g2f 8c8d");
    ASSERT_EQ(file.problems.size(), 1U);
    EXPECT_EQ(file.problems[0].text("x.usi").find("x.usi:3:16: "), 0U) << file.problems[0].text("x.usi");

    const GameFile csa = read_games("PI\n+\n+7776XX\n/\nPI\n+\n+7776FU\n");
    EXPECT_EQ(csa.games.size(), 1U);
    ASSERT_EQ(csa.problems.size(), 1U);
    EXPECT_EQ(csa.problems[0].line, 3U);
    EXPECT_EQ(csa.problems[0].column, 6U);
}

TEST(ReadGames, TrustsContentOverTheName) {
    const GameFile file = read_games("V2.2\nPI\n+\n+7776FU\n", Format::kif);
    EXPECT_EQ(file.format, Format::csa);
    EXPECT_EQ(file.games.size(), 1U);
    const GameFile nothing = read_games("hello\n");
    EXPECT_EQ(nothing.format, std::nullopt);
    ASSERT_EQ(nothing.problems.size(), 1U);
    EXPECT_NE(nothing.problems[0].message.find("none of sfen, usi"), std::string::npos);
}

// A game with everything that all formats can say.
TEST(WriteGame, EveryFormatKeepsTheMovesInEveryEncodingItUses) {
    Game game = parse_usi_game("startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e 4a5b").value();
    Node ending;
    ending.ending = Ending::resign;
    game.add(6, ending);
    game.set_header("先手", "名人");
    for (const Format format : all_formats) {
        for (const Encoding encoding : {Encoding::utf8, Encoding::utf8_bom, Encoding::cp932}) {
            const auto bytes = write_game(game, format, {encoding, CsaVersion::v3_0});
            ASSERT_TRUE(bytes.ok()) << name(format) << ": " << bytes.error().message;
            const GameFile back = read_games(*bytes);
            ASSERT_TRUE(back.problems.empty()) << back.problems[0].text(name(format));
            EXPECT_EQ(back.format, format);
            ASSERT_EQ(back.games.size(), 1U);
            if (format == Format::sfen) {
                EXPECT_EQ(to_sfen(back.games[0].start),
                          "lnsgk2nl/1r2g2s1/pppppp1pp/6p2/4B4/2P6/PP1PPPPPP/7R1/LNSGKGSNL b b 7");
                continue;
            }
            EXPECT_EQ(back.games[0].main_moves(), game.main_moves()) << name(format);
            if (format != Format::usi) {
                EXPECT_EQ(back.games[0].main_ending(), Ending::resign) << name(format);
            }
        }
    }
}

TEST(WriteGames, PutsManyIntoOneFileWhereTheFormatAllowsIt) {
    const std::vector<Game> games{parse_usi_game("startpos moves 7g7f").value(),
                                  parse_usi_game("startpos moves 2g2f 8c8d").value(),
                                  parse_usi_game("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b").value()};
    for (const Format format : all_formats) {
        if (!holds_many(format) || format == Format::sfen) continue;
        const GameFile back = read_games(*write_games(games, format));
        ASSERT_EQ(back.games.size(), games.size()) << name(format);
        for (std::size_t i = 0; i < games.size(); ++i)
            EXPECT_EQ(back.games[i], games[i]) << name(format);
    }
}

}  // namespace
}  // namespace tsumugi::record
