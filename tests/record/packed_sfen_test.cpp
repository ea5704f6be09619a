// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/packed_sfen.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "random_setup.hpp"
#include "record/sfen.hpp"

namespace tsumugi::record {
namespace {

using shogi::Color;
using shogi::Kind;
using shogi::Move;
using shogi::Piece;
using shogi::Square;

shogi::Setup setup_of(std::string_view sfen) { return parse_sfen(sfen).value(); }

TEST(PackedSfen, OfATwoPieceHandicapHasTheBytesThatCshogiPublishes) {
    const PackedSfen expected{{89,  164, 81, 34, 12,  171, 68, 252, 44,  167, 68, 56, 94,  137, 240, 72,
                               132, 87,  34, 60, 167, 68,  56, 86,  137, 248, 88, 70, 137, 48,  188, 126}};
    const auto packed = to_packed_sfen(setup_of(test::two_piece_handicap));
    ASSERT_TRUE(packed.ok());
    EXPECT_EQ(packed->bytes, expected.bytes);
    EXPECT_EQ(to_sfen(from_packed_sfen(expected).value()), test::two_piece_handicap);
}

// The same format written the slow way: text of zeros and ones.
std::string bits_of(const shogi::Setup& setup) {
    const std::map<Kind, std::string> codes{{Kind::pawn, "10"},     {Kind::lance, "1100"}, {Kind::knight, "1101"},
                                            {Kind::silver, "1110"}, {Kind::gold, "11110"}, {Kind::bishop, "111110"},
                                            {Kind::rook, "111111"}};
    const auto number = [](int value) {
        std::string bits;
        for (int i = 0; i < 7; ++i)
            bits += (value >> i & 1) != 0 ? '1' : '0';
        return bits;
    };
    std::string kings;
    std::string board;
    for (const Color color : shogi::both_colors)
        for (std::size_t i = 0; i < setup.board.size(); ++i)
            if (setup.board[i] == Piece(color, Kind::king)) kings += number(static_cast<int>(i));
    for (const Piece piece : setup.board) {
        if (piece.kind() == Kind::king) continue;
        if (piece.is_none()) {
            board += '0';
            continue;
        }
        board += codes.at(shogi::unpromoted(piece.kind()));
        if (piece.kind() != Kind::gold) board += shogi::is_promoted(piece.kind()) ? '1' : '0';
        board += piece.color() == Color::white ? '1' : '0';
    }
    for (const Color color : shogi::both_colors)
        for (const Kind kind :
             {Kind::pawn, Kind::lance, Kind::knight, Kind::silver, Kind::gold, Kind::bishop, Kind::rook})
            for (int n = setup.hand(color).count(kind); n > 0; --n)
                board +=
                    codes.at(kind).substr(1) + (kind == Kind::gold ? "" : "0") + (color == Color::white ? '1' : '0');
    return (setup.side_to_move == Color::white ? "1" : "0") + kings + board;
}

TEST(PackedSfen, AgreesWithABitByBitWriterOnFullSets) {
    base::Random random(1);
    for (int i = 0; i < 2000; ++i) {
        const shogi::Setup setup = test::random_setup(random, false);
        const std::string bits = bits_of(setup);
        ASSERT_EQ(bits.size(), 256U);
        const auto packed = to_packed_sfen(setup);
        ASSERT_TRUE(packed.ok()) << packed.error().message;
        for (std::size_t at = 0; at < bits.size(); ++at)
            ASSERT_EQ(packed->bytes[at / 8] >> at % 8 & 1, bits[at] - '0') << to_sfen(setup) << " bit " << at;
    }
}

TEST(PackedSfen, ComesBackUnchangedWithAndWithoutPiecesInTheBox) {
    base::Random random(2);
    for (int i = 0; i < 5000; ++i) {
        const shogi::Setup setup = test::random_setup(random, i % 2 == 0);
        const auto packed = to_packed_sfen(setup);
        ASSERT_TRUE(packed.ok()) << packed.error().message;
        const auto back = from_packed_sfen(*packed);
        ASSERT_TRUE(back.ok()) << back.error().message << " for " << to_sfen(setup);
        EXPECT_EQ(to_sfen(*back), to_sfen(setup));
    }
}

TEST(PackedSfen, SaysWhyAPositionCannotBePacked) {
    const auto message = [](std::string_view sfen) { return to_packed_sfen(setup_of(sfen)).error().message; };
    EXPECT_NE(message("4k4/9/9/9/9/9/9/9/9 b - 1").find("without Black's king"), std::string::npos);
    EXPECT_NE(message("9/9/9/9/9/9/9/9/4K4 b - 1").find("without White's king"), std::string::npos);
    EXPECT_NE(message("4k4/9/9/9/9/9/9/9/3KK4 b - 1").find("2 of Black's kings"), std::string::npos);
    EXPECT_NE(message("4k4/rrrrrrrrr/rrrrrrrrr/rrrrrrrrr/rrrrrrrrr/rrrrrrrrr/rrrrrrrrr/rrrrrrrrr/4K4 b 2R2r 1")
                  .find("pieces of kind 6"),
              std::string::npos);
}

TEST(PackedSfen, EveryAcceptedStreamIsTheOnlyOneOfItsPosition) {
    base::Random random(3);
    int accepted = 0;
    for (int i = 0; i < 20000; ++i) {
        PackedSfen packed = to_packed_sfen(test::random_setup(random, i % 2 == 0)).value();
        // A few flipped bits give streams that are nearly right, which random bytes never are.
        for (auto flips = random.below(4); flips > 0; --flips)
            packed.bytes[random.below(32)] ^= static_cast<std::uint8_t>(1U << random.below(8));
        const auto setup = from_packed_sfen(packed);
        if (!setup) {
            EXPECT_FALSE(setup.error().message.empty());
            continue;
        }
        ++accepted;
        EXPECT_EQ(to_packed_sfen(*setup).value(), packed);
    }
    EXPECT_GT(accepted, 5000);
    EXPECT_LT(accepted, 19000);
}

TEST(PackedSfen, RefusesStreamsOfNoPosition) {
    PackedSfen packed;
    EXPECT_NE(from_packed_sfen(packed).error().message.find("both kings"), std::string::npos);
    packed.bytes.fill(255);
    EXPECT_NE(from_packed_sfen(packed).error().message.find("king square 127"), std::string::npos);
}

TEST(PackedSfenValue, KeepsItsFieldsWhereTheFormatPutsThem) {
    PackedSfenValue value;
    value.position = to_packed_sfen(shogi::Setup::even()).value();
    value.score = -1234;
    value.move = Move::board(Square::at(8, 8), Square::at(2, 2), true);
    value.game_ply = 300;
    value.result = -1;
    std::array<std::uint8_t, PackedSfenValue::size> bytes;
    write(value, bytes);
    EXPECT_EQ(bytes[32] | bytes[33] << 8, 65536 - 1234);
    EXPECT_EQ(bytes[34] | bytes[35] << 8, 10 | 70 << 7 | 1 << 15);
    EXPECT_EQ(bytes[36] | bytes[37] << 8, 300);
    EXPECT_EQ(bytes[38], 255);
    EXPECT_EQ(read_packed_sfen_value(bytes).value(), value);

    bytes[38] = 2;
    EXPECT_FALSE(read_packed_sfen_value(bytes).ok());
}

TEST(PackedSfenValue, MovesSurviveAndImpossibleBitsAreRefused) {
    int moves = 0;
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const auto move = from_psv_move(static_cast<std::uint16_t>(bits));
        if (!move) continue;
        ++moves;
        EXPECT_EQ(to_psv_move(*move), bits);
        EXPECT_TRUE(move->is_none() || move->is_well_formed());
    }
    EXPECT_EQ(moves, 81 * 80 * 2 + 81 * 7 + 1);
    EXPECT_EQ(to_psv_move(parse_usi_move("G*5e").value()), 40 | 7 << 7 | 1 << 14);
}

}  // namespace
}  // namespace tsumugi::record
