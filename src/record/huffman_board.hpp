// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.hpp"
#include "shogi/setup.hpp"

// What PackedSfen and hcp have in common: a position as exactly 256 bits, least significant bit first.
//   1 bit    side to move
//   7 + 7    squares of the two kings
//   board    a prefix code for each of the other 79 squares, 1a, 1b, … 9i
//   hands    a prefix code for each piece in hand: Black's, then White's, each in the order P L N S G B R
//   box      a prefix code for each piece of a full set that is not in play (handicap games)
// A piece in hand or in the box takes one bit less than on the board, and leaves one more empty square, which
// takes one bit: that is why the length never changes as long as both kings are there.
namespace tsumugi::record {

struct PrefixCode {
    std::uint8_t bits = 0;  // first bit of the stream in bit 0
    std::uint8_t length = 0;
};

// What a prefix stands for. Length 0 marks a bit pattern that no code begins with.
struct DecodedPiece {
    shogi::Piece piece;
    bool in_box = false;
    std::uint8_t length = 0;
};

// One of the two code tables, with the look-up tables for reading derived from it. No code is longer than 8 bits.
struct HuffmanCode {
    std::array<PrefixCode, shogi::Piece::slots> board{};
    std::array<std::array<PrefixCode, 8>, 2> hand{};  // by colour and Kind
    std::array<PrefixCode, 8> box{};                  // by Kind
    std::array<DecodedPiece, 256> board_reader{};     // by the next 8 bits of the stream
    std::array<DecodedPiece, 256> hand_reader{};
};

// Fills the two readers from the codes.
constexpr HuffmanCode with_readers(HuffmanCode code) {
    const auto learn = [](std::array<DecodedPiece, 256>& reader, PrefixCode prefix, DecodedPiece meaning) {
        meaning.length = prefix.length;
        for (std::size_t tail = 0; tail < (std::size_t{256} >> prefix.length); ++tail)
            reader[prefix.bits | tail << prefix.length] = meaning;
    };
    learn(code.board_reader, code.board[0], {});
    for (const shogi::Color color : shogi::both_colors) {
        for (const shogi::Kind kind : shogi::all_kinds) {
            const shogi::Piece piece(color, kind);
            if (kind != shogi::Kind::king) learn(code.board_reader, code.board[piece.slot()], {piece, false, 0});
        }
        for (const shogi::Kind kind : shogi::hand_kinds)
            learn(code.hand_reader, code.hand[shogi::index(color)][shogi::index(kind)],
                  {shogi::Piece(color, kind), false, 0});
    }
    for (const shogi::Kind kind : shogi::hand_kinds)
        learn(code.hand_reader, code.box[shogi::index(kind)], {shogi::Piece(shogi::Color::black, kind), true, 0});
    return code;
}

constexpr std::size_t huffman_board_bytes = 32;

// Fails when a king is missing or there are more pieces of a kind than a set holds: such a position has no
// 256-bit form. Pieces missing from a full set are written as lying in the box.
base::Result<std::array<std::uint8_t, huffman_board_bytes>> encode_board(const HuffmanCode& code,
                                                                         const shogi::Setup& setup);

// Accepts exactly what `encode_board` writes; every other stream is refused with the reason. The move number, which the
// format does not carry, is 1.
base::Result<shogi::Setup> decode_board(const HuffmanCode& code,
                                        std::span<const std::uint8_t, huffman_board_bytes> bytes);

}  // namespace tsumugi::record
