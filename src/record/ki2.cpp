// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/ki2.hpp"

#include <utility>

#include <fmt/format.h>

#include "record/text/tree.hpp"

namespace tsumugi::record {
namespace {

using base::Result;
using shogi::Color;
using text::Cursor;
using text::Line;

constexpr std::size_t moves_per_row = 6;
constexpr std::size_t ki2_move_width = 12;  // of a move with its mark, so that rows form columns

Result<void> read_marked_move(text::TreeReader& tree, Cursor& cursor) {
    const Cursor at_mark = cursor;
    const auto mover = accept_color_mark(cursor);
    if (!mover)
        return cursor.expected("a move such as ▲７六歩, a header such as '先手：', a comment after '*' or 変化");
    tree.suggest_first_mover(*mover);
    const auto position = tree.position(cursor);
    if (!position) return position.error();
    if (const Color turn = (*position)->side_to_move; *mover != turn)
        return at_mark.expected(fmt::format("{} because it is the other side's turn", color_mark(turn)));
    const Cursor at_move = cursor;
    const auto written = read_move(cursor);
    if (!written) return written.error();
    return tree.add_move(at_move, *written, {});
}

Result<void> read_moves(text::TreeReader& tree, const Line& line) {
    Cursor cursor(line);
    for (cursor.skip_spaces(); !cursor.at_end(); cursor.skip_spaces())
        if (const auto move = read_marked_move(tree, cursor); !move) return move.error();
    return {};
}

// Puts moves into rows of columns and breaks the row where something else must be written.
class RowWriter {
public:
    explicit RowWriter(std::string& text) : text_(text) {}

    void add(const std::string& move) {
        if (in_row_ == moves_per_row) end_row();
        if (in_row_ > 0) text_ += std::string(padding_, ' ');
        text_ += move;
        const std::size_t width = text::display_width(move);
        padding_ = width < ki2_move_width ? ki2_move_width - width : 0;
        ++in_row_;
    }
    void end_row() {
        if (in_row_ > 0) text_ += '\n';
        in_row_ = 0;
    }

private:
    std::string& text_;
    std::size_t in_row_ = 0;
    std::size_t padding_ = 0;
};

void write_ki2_line(std::string& text, const Game& game, text::Variation line, const PlayerNames& names) {
    RowWriter rows(text);
    std::size_t ply = line.first_ply;
    for (const std::size_t number : line.nodes) {
        const Node& node = game.node(number);
        const Color mover = line.position.side_to_move;
        if (node.ending) {
            rows.end_row();
            text += fmt::format("{}\n", closing_line(*node.ending, ply - 1, mover, names));
        } else {
            rows.add(fmt::format("{}{}", color_mark(mover), to_japanese(line.position, node.move, line.previous)));
            line.previous = node.move.to();
            apply(line.position, node.move);
            ++ply;
        }
        if (const std::string notes = text::note_lines(node); !notes.empty()) {
            rows.end_row();
            text += notes;
        }
    }
    rows.end_row();
}

}  // namespace

Result<Game> parse_ki2(std::string_view text) {
    text::TreeReader tree;
    for (const Line& line : text::split_lines(text)) {
        const auto taken = tree.read(line);
        if (!taken) return taken.error();
        if (*taken) continue;
        if (const auto moves = read_moves(tree, line); !moves) return moves.error();
    }
    return std::move(tree).finish();
}

std::string to_ki2(const Game& game) {
    const PlayerNames names = text::player_names(game);
    std::string text = text::head_lines(game);
    text += text::note_lines(game.node(Game::root()));
    text += '\n';
    bool first = true;
    for (text::Variation& line : text::variations(game)) {
        if (!std::exchange(first, false)) text += fmt::format("\n変化：{}手\n", line.first_ply);
        write_ki2_line(text, game, std::move(line), names);
    }
    return text;
}

}  // namespace tsumugi::record
