// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/sfen.hpp"

#include <array>
#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace tsumugi::record {
namespace {

using base::Error;
using base::Result;
using shogi::Color;
using shogi::Hand;
using shogi::Kind;
using shogi::Move;
using shogi::Piece;
using shogi::Setup;
using shogi::Square;

constexpr std::string_view kind_letters = " PLNSBRGK";  // indexed by the unpromoted Kind
// The order in which SFEN lists pieces in hand.
constexpr std::array<Kind, 7> sfen_hand_order{Kind::rook,   Kind::bishop, Kind::gold, Kind::silver,
                                              Kind::knight, Kind::lance,  Kind::pawn};

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

Kind kind_of(char letter) {
    const auto at = kind_letters.find(upper(letter));
    return at == std::string_view::npos || at == 0 ? Kind::none : static_cast<Kind>(at);
}

Color owner_of(char letter) { return letter >= 'a' ? Color::white : Color::black; }

char letter_for(Kind kind, Color color) {
    const char letter = kind_letters[shogi::index(shogi::unpromoted(kind))];
    return color == Color::white ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::vector<std::string_view> split_fields(std::string_view text) {
    std::vector<std::string_view> fields;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = text.find_first_not_of(" \t\r\n", at);
        if (begin == std::string_view::npos) break;
        at = std::min(text.find_first_of(" \t\r\n", begin), text.size());
        fields.push_back(text.substr(begin, at - begin));
    }
    return fields;
}

Error sfen_error(std::string message) { return {Error::Code::syntax, std::move(message)}; }

Result<void> parse_board(std::string_view text, Setup& setup) {
    int rank = 1;
    int file = 9;
    bool promoted = false;
    for (const char c : text) {
        if (promoted && (kind_of(c) == Kind::none || !shogi::can_promote(kind_of(c))))
            return sfen_error(fmt::format(
                "SFEN board: '+' must stand before a piece that can promote, found '{}' on rank {}", c, rank));
        if (c == '/') {
            if (file != 0) return sfen_error(fmt::format("SFEN board: rank {} has {} squares, not 9", rank, 9 - file));
            if (++rank > 9) return sfen_error("SFEN board: more than 9 ranks");
            file = 9;
        } else if (c >= '1' && c <= '9') {
            file -= c - '0';
            if (file < 0) return sfen_error(fmt::format("SFEN board: rank {} has more than 9 squares", rank));
        } else if (c == '+') {
            promoted = true;
        } else if (const Kind kind = kind_of(c); kind != Kind::none) {
            if (file < 1) return sfen_error(fmt::format("SFEN board: rank {} has more than 9 squares", rank));
            setup.put(Square::at(file--, rank), Piece(owner_of(c), promoted ? shogi::promoted(kind) : kind));
            promoted = false;
        } else {
            return sfen_error(fmt::format("SFEN board: unexpected character '{}' on rank {}", c, rank));
        }
    }
    if (promoted) return sfen_error("SFEN board: ends after '+'");
    if (rank != 9 || file != 0)
        return sfen_error(fmt::format("SFEN board: ends on rank {} with {} squares of 9", rank, 9 - file));
    return {};
}

Result<void> parse_hands(std::string_view text, Setup& setup) {
    if (text == "-") return {};
    int count = 0;
    for (const char c : text) {
        if (c >= '0' && c <= '9') {
            count = count * 10 + (c - '0');
            if (count > 18 || count == 0)
                return sfen_error(fmt::format("SFEN hand: a count must be 1 to 18, in '{}'", text));
            continue;
        }
        const Kind kind = kind_of(c);
        if (kind == Kind::none || kind == Kind::king)
            return sfen_error(fmt::format("SFEN hand: unexpected character '{}'", c));
        Hand& hand = setup.hand(owner_of(c));
        const int total = hand.count(kind) + std::max(count, 1);
        if (total > shogi::full_set_count(kind))
            return sfen_error(
                fmt::format("SFEN hand: {} of '{}', but a set holds only {}", total, c, shogi::full_set_count(kind)));
        hand.add(kind, std::max(count, 1));
        count = 0;
    }
    if (count != 0) return sfen_error("SFEN hand: a count without a piece at the end");
    return {};
}

}  // namespace

Result<Setup> parse_sfen(std::string_view text) {
    const auto fields = split_fields(text);
    if (fields.size() < 3 || fields.size() > 4)
        return sfen_error(
            fmt::format("SFEN needs board, side, hands and move number, found {} field(s)", fields.size()));
    Setup setup;
    if (auto board = parse_board(fields[0], setup); !board) return board.error();
    if (fields[1] == "b")
        setup.side_to_move = Color::black;
    else if (fields[1] == "w")
        setup.side_to_move = Color::white;
    else
        return sfen_error(fmt::format("SFEN side must be 'b' or 'w', got '{}'", fields[1]));
    if (auto hands = parse_hands(fields[2], setup); !hands) return hands.error();
    if (fields.size() == 4) {
        const auto [end, failure] =
            std::from_chars(fields[3].data(), fields[3].data() + fields[3].size(), setup.move_number);
        if (failure != std::errc() || end != fields[3].data() + fields[3].size() || setup.move_number < 0)
            return sfen_error(fmt::format("SFEN move number must be a number, got '{}'", fields[3]));
    }
    return setup;
}

std::string to_sfen(const Setup& setup) {
    std::string text;
    for (int rank = 1; rank <= 9; ++rank) {
        if (rank > 1) text += '/';
        int gap = 0;
        const auto close_gap = [&] {
            if (gap > 0) text += static_cast<char>('0' + gap);
            gap = 0;
        };
        for (int file = 9; file >= 1; --file) {
            const Piece piece = setup.at(Square::at(file, rank));
            if (piece.is_none()) {
                ++gap;
                continue;
            }
            close_gap();
            if (shogi::is_promoted(piece.kind())) text += '+';
            text += letter_for(piece.kind(), piece.color());
        }
        close_gap();
    }
    text += setup.side_to_move == Color::black ? " b " : " w ";
    bool nothing_held = true;
    for (const Color color : shogi::both_colors)
        for (const Kind kind : sfen_hand_order)
            if (const int count = setup.hand(color).count(kind); count > 0) {
                nothing_held = false;
                if (count > 1) text += std::to_string(count);
                text += letter_for(kind, color);
            }
    if (nothing_held) text += '-';
    return text + ' ' + std::to_string(setup.move_number);
}

Result<Square> parse_usi_square(std::string_view text) {
    if (text.size() != 2 || text[0] < '1' || text[0] > '9' || text[1] < 'a' || text[1] > 'i')
        return sfen_error(fmt::format("square must be 1a to 9i, got '{}'", text));
    return Square::at(text[0] - '0', text[1] - 'a' + 1);
}

std::string to_usi(Square square) {
    return {static_cast<char>('0' + square.file()), static_cast<char>('a' + square.rank() - 1)};
}

Result<Move> parse_usi_move(std::string_view text) {
    if (text.size() < 4 || text.size() > 5 || (text.size() == 5 && text[4] != '+'))
        return sfen_error(fmt::format("move must look like 7g7f, 8h2b+ or P*5e, got '{}'", text.substr(0, 20)));
    const auto to = parse_usi_square(text.substr(2, 2));
    if (!to) return to.error().in(fmt::format("move '{}'", text));
    if (text[1] == '*') {
        const Kind kind = kind_of(text[0]);
        if (text.size() == 5 || kind == Kind::none || kind == Kind::king || owner_of(text[0]) == Color::white)
            return sfen_error(fmt::format("a drop must look like P*5e (one of P L N S G B R), got '{}'", text));
        return Move::drop(kind, *to);
    }
    const auto from = parse_usi_square(text.substr(0, 2));
    if (!from) return from.error().in(fmt::format("move '{}'", text));
    if (*from == *to) return sfen_error(fmt::format("move '{}' does not leave its square", text));
    return Move::board(*from, *to, text.size() == 5);
}

std::string to_usi(Move move) {
    if (move.is_none()) return "none";
    if (move.is_drop()) return std::string{letter_for(move.dropped(), Color::black), '*'} + to_usi(move.to());
    return to_usi(move.from()) + to_usi(move.to()) + (move.promotes() ? "+" : "");
}

}  // namespace tsumugi::record
