// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/packed_sfen.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "record/huffman_board.hpp"
#include "record/little_endian.hpp"

namespace tsumugi::record {
namespace {

using base::Error;
using base::Result;
using shogi::Color;
using shogi::Kind;
using shogi::Move;
using shogi::Piece;
using shogi::Square;

// The kind comes first, then the promotion bit (gold has none), then the colour bit. In hand the first bit, which only
// tells a piece from an empty square, is left out and the promotion bit is 0; in the box the promotion bit is 1.
constexpr HuffmanCode packed_sfen_code = [] {
    struct Row {
        Kind kind;
        int bits;
        int length;
    };
    constexpr std::array<Row, 7> rows{{{Kind::pawn, 0b01, 2},
                                       {Kind::lance, 0b0011, 4},
                                       {Kind::knight, 0b1011, 4},
                                       {Kind::silver, 0b0111, 4},
                                       {Kind::gold, 0b01111, 5},
                                       {Kind::bishop, 0b011111, 6},
                                       {Kind::rook, 0b111111, 6}}};
    const auto prefix = [](int bits, int length) {
        return PrefixCode{static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(length)};
    };
    HuffmanCode code;
    code.board[0] = prefix(0, 1);
    for (const Row& row : rows) {
        const bool promotes = shogi::can_promote(row.kind);
        const int color_at = row.length + (promotes ? 1 : 0);
        for (const Color color : shogi::both_colors) {
            const int color_bit = static_cast<int>(color) << color_at;
            code.board[Piece(color, row.kind).slot()] = prefix(row.bits | color_bit, color_at + 1);
            if (promotes)
                code.board[Piece(color, shogi::promoted(row.kind)).slot()] =
                    prefix(row.bits | 1 << row.length | color_bit, color_at + 1);
            code.hand[shogi::index(color)][shogi::index(row.kind)] = prefix((row.bits | color_bit) >> 1, color_at);
        }
        code.box[shogi::index(row.kind)] = prefix((row.bits | 1 << row.length) >> 1, color_at);
    }
    // Gold has no promotion bit to set: White's promoted silver, which cannot be in a hand, stands for it.
    code.box[shogi::index(Kind::gold)] = prefix(0b11011, 5);
    return with_readers(code);
}();

constexpr int psv_from_shift = 7;
constexpr unsigned psv_square_mask = 127;
constexpr unsigned psv_drop_bit = 1U << 14;
constexpr unsigned psv_promote_bit = 1U << 15;

}  // namespace

Result<PackedSfen> to_packed_sfen(const shogi::Setup& setup) {
    auto bytes = encode_board(packed_sfen_code, setup);
    if (!bytes) return bytes.error().in("PackedSfen");
    return PackedSfen{*bytes};
}

Result<shogi::Setup> from_packed_sfen(const PackedSfen& packed) {
    auto setup = decode_board(packed_sfen_code, packed.bytes);
    if (!setup) return setup.error().in("PackedSfen");
    return setup;
}

std::uint16_t to_psv_move(Move move) {
    if (move.is_none()) return 0;
    const auto to = static_cast<unsigned>(move.to().index());
    if (move.is_drop())
        return static_cast<std::uint16_t>(to | static_cast<unsigned>(move.dropped()) << psv_from_shift | psv_drop_bit);
    return static_cast<std::uint16_t>(to | static_cast<unsigned>(move.from().index()) << psv_from_shift |
                                      (move.promotes() ? psv_promote_bit : 0));
}

Result<Move> from_psv_move(std::uint16_t bits) {
    if (bits == 0) return Move::none();
    const unsigned to = bits & psv_square_mask;
    const unsigned origin = bits >> psv_from_shift & psv_square_mask;
    const bool is_drop = (bits & psv_drop_bit) != 0;
    const bool promotes = (bits & psv_promote_bit) != 0;
    const bool well_formed = is_drop ? origin >= 1 && origin <= static_cast<unsigned>(Kind::gold) && !promotes
                                     : origin < Square::count && origin != to;
    if (to >= Square::count || !well_formed)
        return Error{Error::Code::syntax, fmt::format("{:#06x} is no move in PackedSfenValue's encoding", bits)};
    const Square target = Square::from_index(static_cast<int>(to));
    if (is_drop) return Move::drop(static_cast<Kind>(origin), target);
    return Move::board(Square::from_index(static_cast<int>(origin)), target, promotes);
}

void write(const PackedSfenValue& value, std::span<std::uint8_t, PackedSfenValue::size> out) {
    std::copy(value.position.bytes.begin(), value.position.bytes.end(), out.begin());
    put_u16(out.subspan<32, 2>(), static_cast<std::uint16_t>(value.score));
    put_u16(out.subspan<34, 2>(), to_psv_move(value.move));
    put_u16(out.subspan<36, 2>(), value.game_ply);
    out[38] = static_cast<std::uint8_t>(value.result);
    out[39] = 0;
}

Result<PackedSfenValue> read_packed_sfen_value(std::span<const std::uint8_t, PackedSfenValue::size> bytes) {
    PackedSfenValue value;
    std::copy_n(bytes.begin(), value.position.bytes.size(), value.position.bytes.begin());
    value.score = static_cast<std::int16_t>(get_u16(bytes.subspan<32, 2>()));
    const auto move = from_psv_move(get_u16(bytes.subspan<34, 2>()));
    if (!move) return move.error();
    value.move = *move;
    value.game_ply = get_u16(bytes.subspan<36, 2>());
    value.result = static_cast<std::int8_t>(bytes[38]);
    if (value.result < -1 || value.result > 1)
        return Error{Error::Code::range,
                     fmt::format("PackedSfenValue: the result must be -1, 0 or 1, got {}", int{value.result})};
    return value;
}

}  // namespace tsumugi::record
