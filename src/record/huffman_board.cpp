// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/huffman_board.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

namespace tsumugi::record {
namespace {

using base::Error;
using base::Result;
using shogi::Color;
using shogi::Kind;
using shogi::Piece;
using shogi::Setup;
using shogi::Square;

static_assert(std::endian::native == std::endian::little, "the streams below are stored as little-endian words");

constexpr int total_bits = 256;
constexpr int head_bits = 1 + 7 + 7;
constexpr int coded_squares = Square::count - 2;
constexpr std::array<Kind, 7> packed_hand_order{Kind::pawn, Kind::lance,  Kind::knight, Kind::silver,
                                                Kind::gold, Kind::bishop, Kind::rook};

// Piece counts of all unpromoted kinds in one word, a byte for each: adding a piece is one addition.
class PieceCount {
public:
    constexpr void add(Piece piece) { word_ += unit_[piece.slot()]; }
    constexpr void add(Kind kind, int n) { word_ += static_cast<std::uint64_t>(n) << shift(kind); }
    [[nodiscard]] constexpr int of(Kind kind) const { return static_cast<int>(word_ >> shift(kind) & 255); }
    constexpr bool operator==(const PieceCount&) const = default;

    static constexpr PieceCount full_set() {
        PieceCount count;
        count.add(Kind::king, shogi::full_set_count(Kind::king));
        for (const Kind kind : shogi::hand_kinds)
            count.add(kind, shogi::full_set_count(kind));
        return count;
    }

private:
    static constexpr int shift(Kind kind) { return (static_cast<int>(shogi::unpromoted(kind)) - 1) * 8; }
    static constexpr auto unit_ = [] {
        std::array<std::uint64_t, Piece::slots> unit{};
        for (const Color color : shogi::both_colors)
            for (const Kind kind : shogi::all_kinds)
                unit[Piece(color, kind).slot()] = std::uint64_t{1}
                                                  << (static_cast<int>(shogi::unpromoted(kind)) - 1) * 8;
        return unit;
    }();

    std::uint64_t word_ = 0;
};

constexpr PieceCount full_set = PieceCount::full_set();

class BitWriter {
public:
    // At most 24 bits at a time. Every call stores the pending bits, whole bytes or not, and advances over the whole
    // bytes: without a branch that depends on the position.
    void put(unsigned bits, int length) {
        pending_ |= std::uint64_t{bits} << pending_length_;
        pending_length_ += length;
        std::memcpy(buffer_.data() + size_, &pending_, sizeof pending_);
        const int whole = pending_length_ & ~7;
        size_ += static_cast<std::size_t>(whole) / 8;
        pending_ >>= whole;
        pending_length_ &= 7;
    }
    void put(PrefixCode code) { put(code.bits, code.length); }

    // The stream, once all 256 bits were put, with its first 16 bits or'ed with `head`.
    [[nodiscard]] std::array<std::uint8_t, huffman_board_bytes> take(unsigned head) const {
        std::array<std::uint8_t, huffman_board_bytes> bytes;
        std::copy_n(buffer_.begin(), huffman_board_bytes, bytes.begin());
        bytes[0] = static_cast<std::uint8_t>(bytes[0] | (head & 255));
        bytes[1] = static_cast<std::uint8_t>(bytes[1] | head >> 8);
        return bytes;
    }

private:
    // A board of nothing but rooks takes 15 + 81 * 8 bits; it is refused only after it was written. The last store
    // reaches 8 bytes further.
    std::array<std::uint8_t, 96> buffer_;
    std::size_t size_ = 0;
    std::uint64_t pending_ = 0;
    int pending_length_ = 0;
};

class BitReader {
public:
    explicit BitReader(std::span<const std::uint8_t, huffman_board_bytes> bytes) {
        std::memcpy(words_.data(), bytes.data(), bytes.size());
    }

    // At least 32 further bits, zeros after the end of the stream.
    std::uint64_t peek() {
        if (available_ < 32) {
            if (next_ < words_.size()) pending_ |= std::uint64_t{words_[next_++]} << available_;
            available_ += 32;
        }
        return pending_;
    }
    void skip(int length) {
        pending_ >>= length;
        available_ -= length;
        consumed_ += length;
    }
    unsigned take(int length) {
        const auto bits = static_cast<unsigned>(peek() & ((1U << length) - 1));
        skip(length);
        return bits;
    }
    [[nodiscard]] int consumed() const { return consumed_; }

private:
    std::array<std::uint32_t, huffman_board_bytes / 4> words_;
    std::size_t next_ = 0;
    std::uint64_t pending_ = 0;
    int available_ = 0;
    int consumed_ = 0;
};

Error too_many(Kind kind, int count) {
    return {Error::Code::range, fmt::format("{} pieces of kind {} (a set holds {}) cannot be packed into 256 bits",
                                            count, static_cast<int>(kind), shogi::full_set_count(kind))};
}

// A kind of which there are more than a set holds, or Kind::none.
Kind surplus(PieceCount count) {
    for (const Kind kind : shogi::hand_kinds)
        if (count.of(kind) > shogi::full_set_count(kind)) return kind;
    return Kind::none;
}

Result<void> check_kings(Color color, int kings) {
    if (kings == 1) return {};
    const std::string_view owner = color == Color::black ? "Black's" : "White's";
    if (kings == 0)
        return Error{
            Error::Code::range,
            fmt::format("a position without {} king cannot be packed into 256 bits (it would take 257)", owner)};
    return Error{Error::Code::range,
                 fmt::format("a position with {} of {} kings cannot be packed into 256 bits", kings, owner)};
}

// The board between the kings, read into `setup`. False when the stream holds a pattern that is no code or ends early.
bool read_board(const HuffmanCode& code, BitReader& reader, std::array<int, 2> kings, Setup& setup, PieceCount& count) {
    const auto [low, high] = std::minmax(kings[0], kings[1]);
    for (int i = 0; i < coded_squares;) {
        // An empty square is a single 0, so a run of them is a run of zeros. A longer run than 23 leaves too few bits
        // for a whole code; the next symbol is then just another empty square.
        const std::uint64_t bits = reader.peek();
        const int gap = std::min(std::countr_zero(bits | std::uint64_t{1} << 23), coded_squares - i);
        i += gap;
        if (i == coded_squares) {
            reader.skip(gap);
            break;
        }
        const DecodedPiece& decoded = code.board_reader[bits >> gap & 255];
        if (decoded.length == 0) return false;
        reader.skip(gap + decoded.length);
        int square = i + (i >= low ? 1 : 0);
        square += square >= high ? 1 : 0;
        setup.board[static_cast<std::size_t>(square)] = decoded.piece;
        count.add(decoded.piece);
        ++i;
    }
    return reader.consumed() <= total_bits;
}

// Pieces in hand and in the box must come in the order in which `encode_board` writes them, so that a position has one
// form only and equal positions can be found by comparing bytes.
Result<void> read_hands(const HuffmanCode& code, BitReader& reader, Setup& setup, PieceCount& count) {
    constexpr std::array<std::uint8_t, 8> rank_of_kind{0, 0, 1, 2, 3, 5, 6, 4};  // P L N S B R G in packed_hand_order
    int last = -1;
    while (reader.consumed() < total_bits) {
        const DecodedPiece& decoded = code.hand_reader[reader.peek() & 255];
        if (decoded.length == 0)
            return Error{Error::Code::syntax, fmt::format("bit {} begins no piece in hand", reader.consumed())};
        const Kind kind = decoded.piece.kind();
        const int group = decoded.in_box ? 2 : static_cast<int>(decoded.piece.color());
        const int order = group * 8 + rank_of_kind[shogi::index(kind)];
        if (order < last)
            return Error{Error::Code::syntax,
                         fmt::format("the piece in hand at bit {} is out of order", reader.consumed())};
        last = order;
        reader.skip(decoded.length);
        count.add(kind, 1);
        if (count.of(kind) > shogi::full_set_count(kind)) return too_many(kind, count.of(kind));
        if (!decoded.in_box) setup.hand(decoded.piece.color()).add(kind);
    }
    if (reader.consumed() != total_bits) return Error{Error::Code::syntax, "the last piece in hand is cut off"};
    return {};
}

}  // namespace

Result<std::array<std::uint8_t, huffman_board_bytes>> encode_board(const HuffmanCode& code, const Setup& setup) {
    BitWriter writer;
    writer.put(0, head_bits);  // side and kings are filled in at the end
    PieceCount count;
    std::array<int, 2> kings{};
    std::array<int, 2> king_squares{};
    static_assert(Square::count % 3 == 0);
    for (std::size_t i = 0; i < setup.board.size(); i += 3) {
        unsigned bits = 0;
        int length = 0;
        for (std::size_t j = i; j < i + 3; ++j) {
            const Piece piece = setup.board[j];
            const PrefixCode& prefix = code.board[piece.slot()];  // a king's has no bits
            bits |= unsigned{prefix.bits} << length;
            length += prefix.length;
            count.add(piece);
            if (piece.kind() == Kind::king) {
                ++kings[shogi::index(piece.color())];
                king_squares[shogi::index(piece.color())] += static_cast<int>(j);
            }
        }
        writer.put(bits, length);
    }
    for (const Color color : shogi::both_colors)
        if (auto one = check_kings(color, kings[shogi::index(color)]); !one) return one.error();
    for (const Color color : shogi::both_colors)
        for (const Kind kind : shogi::hand_kinds)
            count.add(kind, setup.hand(color).count(kind));
    if (count != full_set)
        if (const Kind kind = surplus(count); kind != Kind::none) return too_many(kind, count.of(kind));

    for (const Color color : shogi::both_colors) {
        if (setup.hand(color).empty()) continue;
        for (const Kind kind : packed_hand_order)
            for (int n = setup.hand(color).count(kind); n > 0; --n)
                writer.put(code.hand[shogi::index(color)][shogi::index(kind)]);
    }
    if (count != full_set)
        for (const Kind kind : packed_hand_order)
            for (int n = shogi::full_set_count(kind) - count.of(kind); n > 0; --n)
                writer.put(code.box[shogi::index(kind)]);
    return writer.take(static_cast<unsigned>(setup.side_to_move) | static_cast<unsigned>(king_squares[0]) << 1 |
                       static_cast<unsigned>(king_squares[1]) << 8);
}

Result<Setup> decode_board(const HuffmanCode& code, std::span<const std::uint8_t, huffman_board_bytes> bytes) {
    BitReader reader(bytes);
    Setup setup;
    setup.side_to_move = static_cast<Color>(reader.take(1));
    std::array<int, 2> kings{};
    for (const Color color : shogi::both_colors) {
        const auto square = static_cast<int>(reader.take(7));
        if (square >= Square::count)
            return Error{Error::Code::syntax, fmt::format("king square {} does not exist (0 to 80)", square)};
        kings[shogi::index(color)] = square;
        setup.board[static_cast<std::size_t>(square)] = Piece(color, Kind::king);
    }
    if (kings[0] == kings[1]) return Error{Error::Code::syntax, fmt::format("both kings stand on square {}", kings[0])};
    PieceCount count;
    count.add(Kind::king, 2);
    if (!read_board(code, reader, kings, setup, count))
        return Error{Error::Code::syntax,
                     fmt::format("the board is not coded properly near bit {}", reader.consumed())};
    if (const Kind kind = surplus(count); kind != Kind::none) return too_many(kind, count.of(kind));
    if (auto hands = read_hands(code, reader, setup, count); !hands) return hands.error();
    if (count != full_set) return Error{Error::Code::syntax, "the pieces do not add up to a full set"};
    return setup;
}

}  // namespace tsumugi::record
