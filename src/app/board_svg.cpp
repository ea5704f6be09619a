// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/board_svg.hpp"

#include <string_view>

#include <fmt/format.h>

#include "record/notation.hpp"
#include "report/markup.hpp"

namespace tsumugi::app {
namespace {

using shogi::Color;
using shogi::Square;

constexpr int cell = 40;
constexpr int left = 60;
constexpr int top = 50;

int column_of(Square s) { return left + (9 - s.file()) * cell; }
int row_of(Square s) { return top + (s.rank() - 1) * cell; }

std::string text_at(int x, int y, int size, std::string_view text, bool turned = false) {
    const std::string turn = turned ? fmt::format(" transform=\"rotate(180 {} {})\"", x, y) : "";
    return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}>{}</text>\n", x, y, size, turn, text);
}

// One piece under another, as on a piece stand; White's read from below.
std::string hand_svg(const shogi::Board& board, Color color) {
    const bool white = color == Color::white;
    const int x = white ? left / 2 : left + 9 * cell + 45;
    int y = white ? top + 9 * cell - 20 : top + 20;
    const int step = white ? -24 : 24;
    std::string svg = text_at(x, y, 18, record::color_mark(color), white);
    for (auto kind = shogi::hand_kinds.rbegin(); kind != shogi::hand_kinds.rend(); ++kind) {
        const int count = board.hand(color).count(*kind);
        if (count == 0) continue;
        y += step;
        const std::string number = count > 1 ? std::to_string(count) : "";
        svg += text_at(x, y, 18, std::string(record::kind_name(*kind)) + number, white);
    }
    return svg;
}

}  // namespace

std::string board_svg(const shogi::Board& board, const std::string& caption, Square last) {
    const int width = left + 9 * cell + 90;
    const int height = top + 9 * cell + 30;
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"serif\" text-anchor=\"middle\" dominant-baseline=\"central\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n"
        "<rect x=\"{2}\" y=\"{3}\" width=\"{4}\" height=\"{4}\" fill=\"#f3d9a4\" stroke=\"#000\" "
        "stroke-width=\"2\"/>\n",
        width, height, left, top, 9 * cell);
    svg += text_at(width / 2, 14, 13, report::escape_markup(caption));
    if (!last.is_none())
        svg += fmt::format("<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{2}\" fill=\"#e5b566\"/>\n",
                           column_of(last), row_of(last), cell);
    for (int i = 1; i < 9; ++i)
        svg += fmt::format("<path d=\"M{0} {1}h{2}M{3} {4}v{2}\" stroke=\"#000\"/>\n", left, top + i * cell, 9 * cell,
                           left + i * cell, top);
    for (int i = 1; i <= 9; ++i) {
        svg += text_at(left + (9 - i) * cell + cell / 2, top - 12, 14, std::to_string(i));
        svg += text_at(left + 9 * cell + 14, top + (i - 1) * cell + cell / 2, 14, record::kanji_digit(i));
    }
    for (std::size_t i = 0; i < Square::count; ++i) {
        const Square s = Square::from_index(i);
        const shogi::Piece piece = board.piece_at(s);
        if (piece.is_none()) continue;
        svg += text_at(column_of(s) + cell / 2, row_of(s) + cell / 2, 28, record::diagram_name(piece.kind()),
                       piece.color() == Color::white);
    }
    return svg + hand_svg(board, Color::white) + hand_svg(board, Color::black) + "</svg>\n";
}

}  // namespace tsumugi::app
