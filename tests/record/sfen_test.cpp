// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/sfen.hpp"

#include <gtest/gtest.h>

#include "random_setup.hpp"

namespace tsumugi::record {
namespace {

std::string sfen_error(std::string_view text) {
    const auto setup = parse_sfen(text);
    return setup.ok() ? "no error" : setup.error().message;
}

TEST(Sfen, OfTheEvenGameIsTheConstant) {
    EXPECT_EQ(to_sfen(shogi::Setup::even()), even_sfen);
    EXPECT_EQ(parse_sfen(even_sfen).value(), shogi::Setup::even());
}

TEST(Sfen, RandomPositionsComeBackUnchanged) {
    base::Random random(7);
    for (int i = 0; i < 5000; ++i) {
        shogi::Setup setup = test::random_setup(random, true);
        setup.move_number = static_cast<int>(random.between(1, 1000));
        const auto back = parse_sfen(to_sfen(setup));
        ASSERT_TRUE(back.ok()) << back.error().message;
        EXPECT_EQ(*back, setup) << to_sfen(setup);
    }
}

TEST(Sfen, MoveNumberMayBeMissing) {
    EXPECT_EQ(parse_sfen("4k4/9/9/9/9/9/9/9/4K4 w -")->move_number, 1);
    EXPECT_EQ(parse_sfen("4k4/9/9/9/9/9/9/9/4K4 w - 33")->move_number, 33);
}

TEST(Sfen, SaysWhatIsWrong) {
    EXPECT_NE(sfen_error("").find("0 field(s)"), std::string::npos);
    EXPECT_NE(sfen_error("4k4/9/9/9/9/9/9/9/4K4 b - 1 x").find("5 field(s)"), std::string::npos);
    EXPECT_NE(sfen_error("4k4/9/9/9/9/9/9/9/4K5 b - 1").find("more than 9 squares"), std::string::npos);
    EXPECT_NE(sfen_error("4k3/9/9/9/9/9/9/9/4K4 b - 1").find("rank 1 has 8 squares"), std::string::npos);
    EXPECT_NE(sfen_error("4k4/9/9/9/9/9/9/9 b - 1").find("ends on rank 8"), std::string::npos);
    EXPECT_NE(sfen_error("4+k4/9/9/9/9/9/9/9/4K4 b - 1").find("can promote"), std::string::npos);
    EXPECT_NE(sfen_error("4k4/9/9/9/9/9/9/9/4K4 x - 1").find("'b' or 'w'"), std::string::npos);
    EXPECT_NE(sfen_error("4k4/9/9/9/9/9/9/9/4K4 b 3R 1").find("holds only 2"), std::string::npos);
    EXPECT_NE(sfen_error("4k4/9/9/9/9/9/9/9/4K4 b K 1").find("unexpected character 'K'"), std::string::npos);
    EXPECT_NE(sfen_error("4k4/9/9/9/9/9/9/9/4K4 b 2 1").find("without a piece"), std::string::npos);
    EXPECT_NE(sfen_error("4k4/9/9/9/9/9/9/9/4K4 b - x").find("must be a number"), std::string::npos);
}

TEST(UsiMove, EveryMoveComesBackUnchanged) {
    int moves = 0;
    for (unsigned bits = 1; bits < 65536; ++bits) {
        const auto move = shogi::Move::from_bits(static_cast<std::uint16_t>(bits));
        if (!move.is_well_formed()) continue;
        const auto back = parse_usi_move(to_usi(move));
        ASSERT_TRUE(back.ok()) << to_usi(move);
        EXPECT_EQ(*back, move);
        ++moves;
    }
    EXPECT_EQ(moves, 81 * 80 * 2 + 81 * 7);
}

TEST(UsiMove, RefusesWhatIsNoMove) {
    for (const auto* text :
         {"", "7g", "7g7", "7g7f++", "7g7f=", "0g7f", "7j7f", "7g7g", "K*5e", "p*5e", "P*5e+", "X*5e", "7g7f7e"})
        EXPECT_FALSE(parse_usi_move(text).ok()) << text;
}

}  // namespace
}  // namespace tsumugi::record
