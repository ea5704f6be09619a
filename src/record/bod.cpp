// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/bod.hpp"

#include <fmt/format.h>

#include "record/notation.hpp"

namespace tsumugi::record {
namespace {

using base::Error;
using base::Result;
using shogi::Color;
using shogi::Hand;
using shogi::Kind;
using shogi::Piece;
using shogi::Setup;
using shogi::Square;
using text::Cursor;
using text::Line;

constexpr std::array<Kind, 7> diagram_hand_order{Kind::rook,   Kind::bishop, Kind::gold, Kind::silver,
                                                 Kind::knight, Kind::lance,  Kind::pawn};

std::optional<Color> accept_player(Cursor& cursor) {
    if (cursor.accept("先手") || cursor.accept("下手")) return Color::black;
    if (cursor.accept("後手") || cursor.accept("上手")) return Color::white;
    return std::nullopt;
}

// 十七, 二, 17 or nothing, which is one piece.
int accept_piece_count(Cursor& cursor) {
    if (cursor.accept("十")) return 10 + cursor.accept_digit().value_or(0);
    if (const auto number = cursor.accept_number(99)) return *number;
    return cursor.accept_digit().value_or(1);
}

std::string count_name(int count) {
    if (count == 1) return "";
    return fmt::format("{}{}", count >= 10 ? "十" : "", kanji_digit(count % 10));
}

std::string hand_line(const Setup& setup, Color color, const PlayerNames& names) {
    std::string pieces;
    for (const Kind kind : diagram_hand_order)
        if (const int count = setup.hand(color).count(kind); count > 0)
            pieces += fmt::format("{}{}　", kind_name(kind), count_name(count));
    return fmt::format("{}の持駒：{}\n", names.of(color), pieces.empty() ? "なし" : pieces);
}

bool is_frame(std::string_view trimmed) {
    return trimmed.starts_with("+-") || trimmed.starts_with("９ ８ ７") || trimmed.starts_with("9 8 7");
}

// 先手番, 手番：後手 …
std::optional<Color> side_named(std::string_view trimmed) {
    Cursor cursor(Line{trimmed, 0});
    const bool labelled = cursor.accept("手番：");
    const auto side = accept_player(cursor);
    if (!side || (!cursor.accept("番") && !labelled) || !cursor.at_end()) return std::nullopt;
    return side;
}

}  // namespace

Result<bool> DiagramReader::read(const Line& line) {
    const std::string_view trimmed = text::trim(line.text);
    if (is_frame(trimmed)) return true;
    if (const auto side = side_named(trimmed)) {
        side_to_move_ = side;
        return true;
    }
    Cursor cursor(line);
    cursor.skip_spaces();
    if (cursor.peek() == U'|') {
        if (const auto rank = read_rank(line); !rank) return rank.error();
        return true;
    }
    if (cursor.accept("手数＝") || cursor.accept("手数=")) {
        if (const auto count = read_move_count(cursor); !count) return count.error();
        return true;
    }
    const auto owner = accept_player(cursor);
    if (!owner || (!cursor.accept("の持駒：") && !cursor.accept("の持ち駒："))) return false;
    if (const auto hand = read_hand(*owner, cursor); !hand) return hand.error();
    return true;
}

Result<void> DiagramReader::read_rank(const Line& line) {
    Cursor cursor(line);
    cursor.skip_spaces();
    if (ranks_ == 9) return cursor.problem("a board has 9 ranks, this is the tenth");
    ++ranks_;
    cursor.advance();  // the frame
    for (int file = 9; file >= 1; --file) {
        const Color color =
            cursor.accept("v") || cursor.accept("V") || cursor.accept("ｖ") ? Color::white : Color::black;
        if (color == Color::black && !cursor.accept(" ") && !cursor.accept("^"))
            return cursor.expected("' ' for a piece of Black or 'v' for one of White");
        if (cursor.accept("・") || cursor.accept("･")) continue;
        const Kind kind = accept_kind(cursor);
        if (kind == Kind::none) return cursor.expected("a piece or ・");
        board_[Square::at(file, ranks_).slot()] = Piece(color, kind);
    }
    if (!cursor.accept("|")) return cursor.expected("'|' after nine squares");
    return {};
}

Result<void> DiagramReader::read_hand(Color color, Cursor& cursor) {
    Hand& hand = hands_[shogi::index(color)].emplace();
    cursor.skip_spaces();
    if (cursor.accept("なし")) return {};
    for (cursor.skip_spaces(); !cursor.at_end(); cursor.skip_spaces()) {
        const Cursor before = cursor;
        const Kind kind = accept_kind(cursor);
        if (kind == Kind::none || kind == Kind::king || shogi::is_promoted(kind))
            return before.expected("a piece that can be held, such as 銀二, or なし");
        const int count = accept_piece_count(cursor);
        const int most = shogi::full_set_count(kind);
        if (hand.count(kind) + count > most)
            return before.problem(
                fmt::format("{} {} in hand, but a set holds only {}", hand.count(kind) + count, kind_name(kind), most));
        hand.add(kind, count);
    }
    return {};
}

Result<void> DiagramReader::read_move_count(Cursor& cursor) {
    constexpr int largest = 1'000'000;
    cursor.skip_spaces();
    moves_played_ = cursor.accept_number(largest);
    if (!moves_played_) return cursor.expected("the number of moves played");
    cursor.skip_spaces();
    if (accept_color_mark(cursor)) last_destination_ = accept_square(cursor);
    return {};
}

Result<Setup> DiagramReader::apply_to(Setup start) const {
    if (ranks_ != 0 && ranks_ != 9)
        return Error{Error::Code::syntax, fmt::format("the board diagram has {} of 9 ranks", ranks_)};
    if (has_board()) start.board = board_;
    for (const Color color : shogi::both_colors)
        if (const auto& hand = hands_[shogi::index(color)]) start.hand(color) = *hand;
    if (side_to_move_) start.side_to_move = *side_to_move_;
    if (moves_played_) start.move_number = *moves_played_ + 1;
    return start;
}

Result<Setup> parse_bod(std::string_view text) {
    DiagramReader reader;
    for (const Line& line : text::split_lines(text))
        if (const auto taken = reader.read(line); !taken) return taken.error();
    if (!reader.has_board())
        return Error{Error::Code::syntax, "no board diagram found: expected nine lines such as '| ・ ・ 歩v玉 …|一'"};
    return reader.apply_to(Setup());
}

std::string to_bod(const Setup& setup, const PlayerNames& names) {
    std::string text = hand_line(setup, Color::white, names);
    text += "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n";
    for (int rank = 1; rank <= 9; ++rank) {
        text += '|';
        for (int file = 9; file >= 1; --file) {
            const Piece piece = setup.at(Square::at(file, rank));
            text += piece.color() == Color::white ? 'v' : ' ';
            text += diagram_name(piece.kind());
        }
        text += fmt::format("|{}\n", kanji_digit(rank));
    }
    text += "+---------------------------+\n";
    text += hand_line(setup, Color::black, names);
    if (setup.move_number > 1) text += fmt::format("手数＝{}\n", setup.move_number - 1);
    return text + fmt::format("{}番\n", names.of(setup.side_to_move));
}

}  // namespace tsumugi::record
