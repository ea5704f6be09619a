// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/hcp.hpp"

#include <string>

#include <gtest/gtest.h>

#include "random_setup.hpp"
#include "record/packed_sfen.hpp"
#include "record/sfen.hpp"

namespace tsumugi::record {
namespace {

using shogi::Move;
using shogi::Square;

TEST(Hcp, OfATwoPieceHandicapHasTheBytesThatCshogiPublishes) {
    const Hcp expected{{89,  164, 73, 33, 12,  151, 66, 252, 28,  155, 66, 88, 94,  133, 240, 40,
                        132, 87,  33, 60, 155, 66,  88, 46,  133, 248, 56, 38, 133, 48,  60,  94}};
    const auto packed = to_hcp(parse_sfen(test::two_piece_handicap).value());
    ASSERT_TRUE(packed.ok());
    EXPECT_EQ(packed->bytes, expected.bytes);
    EXPECT_EQ(to_sfen(from_hcp(expected).value()), test::two_piece_handicap);
}

// Codes of hands in Apery's table that the board codes do not determine.
TEST(Hcp, WritesPiecesInHandWithTheirOwnCodes) {
    // Everything in Black's hand: 79 empty squares, then P L N S G B R.
    const shogi::Setup setup = parse_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1").value();
    const Hcp packed = to_hcp(setup).value();
    std::string bits;
    for (int i = 0; i < 256; ++i)
        bits += (packed.bytes[static_cast<std::size_t>(i / 8)] >> i % 8 & 1) != 0 ? '1' : '0';
    std::string expected;
    const auto repeat = [&](int times, const char* code) {
        for (; times > 0; --times)
            expected += code;
    };
    repeat(18, "000");
    repeat(4, "10000");
    repeat(4, "11000");
    repeat(4, "10100");
    repeat(4, "11100");
    repeat(2, "1111100");
    repeat(2, "1111110");
    EXPECT_EQ(bits.substr(15, 79), std::string(79, '0'));
    EXPECT_EQ(bits.substr(94), expected);
}

TEST(Hcp, ComesBackUnchangedAndConvertsToPackedSfenAndBack) {
    base::Random random(4);
    for (int i = 0; i < 5000; ++i) {
        const shogi::Setup setup = test::random_setup(random, i % 2 == 0);
        const auto packed = to_hcp(setup);
        ASSERT_TRUE(packed.ok()) << packed.error().message;
        const auto back = from_hcp(*packed);
        ASSERT_TRUE(back.ok()) << back.error().message << " for " << to_sfen(setup);
        EXPECT_EQ(to_sfen(*back), to_sfen(setup));
        EXPECT_EQ(to_hcp(from_packed_sfen(to_packed_sfen(*back).value()).value()).value(), *packed);
    }
}

TEST(Hcp, EveryAcceptedStreamIsTheOnlyOneOfItsPosition) {
    base::Random random(5);
    int accepted = 0;
    for (int i = 0; i < 20000; ++i) {
        Hcp packed = to_hcp(test::random_setup(random, i % 2 == 0)).value();
        for (auto flips = random.below(4); flips > 0; --flips)
            packed.bytes[random.below(32)] ^= static_cast<std::uint8_t>(1U << random.below(8));
        const auto setup = from_hcp(packed);
        if (!setup) continue;
        ++accepted;
        EXPECT_EQ(to_hcp(*setup).value(), packed);
    }
    EXPECT_GT(accepted, 5000);
    EXPECT_LT(accepted, 19000);
}

TEST(Hcpe, KeepsItsFieldsWhereTheFormatPutsThem) {
    Hcpe value;
    value.position = to_hcp(shogi::Setup::even()).value();
    value.eval = -300;
    value.move = Move::board(Square::at(8, 8), Square::at(2, 2), true);
    value.result = HcpeResult::white_win;
    std::array<std::uint8_t, Hcpe::size> bytes;
    write(value, bytes);
    EXPECT_EQ(bytes[32] | bytes[33] << 8, 65536 - 300);
    EXPECT_EQ(bytes[34] | bytes[35] << 8, 10 | 70 << 7 | 1 << 14);
    EXPECT_EQ(bytes[36], 2);
    EXPECT_EQ(read_hcpe(bytes).value(), value);

    bytes[36] = 3;
    EXPECT_FALSE(read_hcpe(bytes).ok());
}

TEST(Hcpe, MovesSurviveAndImpossibleBitsAreRefused) {
    int moves = 0;
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const auto move = from_apery_move(static_cast<std::uint16_t>(bits));
        if (!move) continue;
        ++moves;
        EXPECT_EQ(to_apery_move(*move), bits);
        EXPECT_TRUE(move->is_none() || move->is_well_formed());
    }
    EXPECT_EQ(moves, 81 * 80 * 2 + 81 * 7 + 1);
    EXPECT_EQ(to_apery_move(parse_usi_move("P*5e").value()), 40 | 81 << 7);
    EXPECT_EQ(to_apery_move(parse_usi_move("G*5e").value()), 40 | 87 << 7);
}

}  // namespace
}  // namespace tsumugi::record
