// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/hcp.hpp"

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

// On the board the kind is followed by the colour bit and that by the promotion bit (gold has none). The codes of
// pieces in hand and in the box follow no single rule; the box uses patterns the hands leave free.
constexpr HuffmanCode hcp_code = [] {
    struct Row {
        Kind kind;
        int bits;
        int length;
        int hand;  // Black's; White's has the top bit set as well
        int box;
    };
    constexpr std::array<Row, 7> rows{{{Kind::pawn, 0b01, 2, 0b000, 0b010},
                                       {Kind::lance, 0b0011, 4, 0b00001, 0b01001},
                                       {Kind::knight, 0b0111, 4, 0b00011, 0b01011},
                                       {Kind::silver, 0b1011, 4, 0b00101, 0b01101},
                                       {Kind::gold, 0b01111, 5, 0b00111, 0b11101},
                                       {Kind::bishop, 0b011111, 6, 0b0011111, 0b0001111},
                                       {Kind::rook, 0b111111, 6, 0b0111111, 0b0101111}}};
    const auto prefix = [](int bits, int length) {
        return PrefixCode{static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(length)};
    };
    HuffmanCode code;
    code.board[0] = prefix(0, 1);
    for (const Row& row : rows) {
        const bool promotes = shogi::can_promote(row.kind);
        const int length = row.length + (promotes ? 2 : 1);
        for (const Color color : shogi::both_colors) {
            const int bits = row.bits | static_cast<int>(color) << row.length;
            code.board[Piece(color, row.kind).slot()] = prefix(bits, length);
            if (promotes)
                code.board[Piece(color, shogi::promoted(row.kind)).slot()] = prefix(bits | 1 << (length - 1), length);
            code.hand[shogi::index(color)][shogi::index(row.kind)] =
                prefix(row.hand | static_cast<int>(color) << (length - 2), length - 1);
        }
        code.box[shogi::index(row.kind)] = prefix(row.box, length - 1);
    }
    return with_readers(code);
}();

constexpr int apery_from_shift = 7;
constexpr unsigned apery_square_mask = 127;
constexpr unsigned apery_promote_bit = 1U << 14;
constexpr unsigned apery_drop_base =
    Square::count - 1;  // added to the dropped kind, so that a pawn follows the last square

}  // namespace

Result<Hcp> to_hcp(const shogi::Setup& setup) {
    auto bytes = encode_board(hcp_code, setup);
    if (!bytes) return bytes.error().in("hcp");
    return Hcp{*bytes};
}

Result<shogi::Setup> from_hcp(const Hcp& packed) {
    auto setup = decode_board(hcp_code, packed.bytes);
    if (!setup) return setup.error().in("hcp");
    return setup;
}

std::uint16_t to_apery_move(Move move) {
    if (move.is_none()) return 0;
    const auto to = static_cast<unsigned>(move.to().index());
    if (move.is_drop())
        return static_cast<std::uint16_t>(to | (apery_drop_base + static_cast<unsigned>(move.dropped()))
                                                   << apery_from_shift);
    return static_cast<std::uint16_t>(to | static_cast<unsigned>(move.from().index()) << apery_from_shift |
                                      (move.promotes() ? apery_promote_bit : 0));
}

Result<Move> from_apery_move(std::uint16_t bits) {
    if (bits == 0) return Move::none();
    const unsigned to = bits & apery_square_mask;
    const unsigned origin = bits >> apery_from_shift & apery_square_mask;
    const bool is_drop = origin > apery_drop_base;
    const bool promotes = (bits & apery_promote_bit) != 0;
    const bool well_formed =
        is_drop ? origin <= apery_drop_base + static_cast<unsigned>(Kind::gold) && !promotes : origin != to;
    if (to >= Square::count || !well_formed || bits >> 15 != 0)
        return Error{Error::Code::syntax, fmt::format("{:#06x} is no move in hcpe's encoding", bits)};
    const Square target = Square::from_index(static_cast<int>(to));
    if (is_drop) return Move::drop(static_cast<Kind>(origin - apery_drop_base), target);
    return Move::board(Square::from_index(static_cast<int>(origin)), target, promotes);
}

void write(const Hcpe& value, std::span<std::uint8_t, Hcpe::size> out) {
    std::copy(value.position.bytes.begin(), value.position.bytes.end(), out.begin());
    put_u16(out.subspan<32, 2>(), static_cast<std::uint16_t>(value.eval));
    put_u16(out.subspan<34, 2>(), to_apery_move(value.move));
    out[36] = static_cast<std::uint8_t>(value.result);
    out[37] = 0;
}

Result<Hcpe> read_hcpe(std::span<const std::uint8_t, Hcpe::size> bytes) {
    Hcpe value;
    std::copy_n(bytes.begin(), value.position.bytes.size(), value.position.bytes.begin());
    value.eval = static_cast<std::int16_t>(get_u16(bytes.subspan<32, 2>()));
    const auto move = from_apery_move(get_u16(bytes.subspan<34, 2>()));
    if (!move) return move.error();
    value.move = *move;
    if (bytes[36] > static_cast<std::uint8_t>(HcpeResult::white_win))
        return Error{Error::Code::range,
                     fmt::format("hcpe: the result must be 0 (draw), 1 (Black) or 2 (White), got {}", int{bytes[36]})};
    value.result = static_cast<HcpeResult>(bytes[36]);
    return value;
}

}  // namespace tsumugi::record
