// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/kif.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "record/text/tree.hpp"

namespace tsumugi::record {
namespace {

using base::Error;
using base::Result;
using shogi::Color;
using std::chrono::milliseconds;
using text::Cursor;
using text::Line;

constexpr int largest_number = 1'000'000;
// Move texts are padded to this width so that times stand in a column.
constexpr std::size_t kif_move_width = 13;

// "0:12", "1:00:12", "12.5": hours and minutes may be missing, seconds may have a fraction.
Result<milliseconds> read_duration(Cursor& cursor) {
    long long seconds = 0;
    for (int parts = 0;; ++parts) {
        const auto number = cursor.accept_number(largest_number);
        if (!number || parts == 3) return cursor.expected("a time such as 0:12 or 01:02:03");
        seconds = seconds * 60 + *number;
        if (!cursor.accept(":")) break;
    }
    milliseconds duration{seconds * 1000};
    if (cursor.accept("."))
        for (int unit = 100; cursor.peek() >= U'0' && cursor.peek() <= U'9'; unit /= 10) {
            duration += milliseconds{unit * static_cast<int>(cursor.peek() - U'0')};
            cursor.advance();
        }
    return duration;
}

// "( 0:12/00:00:12)", where the total may be missing.
Result<void> read_times(Cursor& cursor, Node& node) {
    if (!cursor.accept("(")) return {};
    cursor.skip_spaces();
    const auto time = read_duration(cursor);
    if (!time) return time.error();
    node.time = *time;
    cursor.skip_spaces();
    if (cursor.accept("/")) {
        cursor.skip_spaces();
        if (cursor.peek() != U')') {
            const auto total = read_duration(cursor);
            if (!total) return total.error();
            node.total = *total;
            cursor.skip_spaces();
        }
    }
    if (!cursor.accept(")")) return cursor.expected("')' after the times");
    return {};
}

// The word up to a space or bracket, which may say that the game ends: 投了.
std::string_view next_word(const Cursor& cursor) {
    const std::string_view rest = cursor.rest();
    return rest.substr(0, std::min(rest.find_first_of(" \t("), rest.find("　")));
}

Result<void> read_move_line(text::TreeReader& tree, const Line& line) {
    Cursor cursor(line);
    cursor.skip_spaces();
    const auto number = cursor.accept_number(largest_number);
    if (!number)
        return cursor.expected("a move such as '1 ７六歩(77)', a header such as '先手：', a comment after '*' or 変化");
    tree.note_move_number(*number);
    cursor.skip_spaces();
    accept_color_mark(cursor);
    const Cursor at_move = cursor;
    Node node;
    WrittenMove written;
    const std::string_view word = next_word(cursor);
    const auto ending = find_ending(word);
    if (ending) {
        cursor.accept(word);
        const auto position = tree.position(cursor);
        if (!position) return position.error();
        if (word != ending_word(*ending, (*position)->side_to_move)) node.ending_text = word;
    } else {
        const auto move = read_move(cursor);
        if (!move) return move.error();
        written = *move;
    }
    cursor.skip_spaces();
    if (const auto times = read_times(cursor, node); !times) return times.error();
    cursor.skip_spaces();
    cursor.accept("+");  // says that variations of this move follow, which 変化 says too
    cursor.skip_spaces();
    if (!cursor.at_end()) return cursor.expected("times such as ( 0:12/00:00:12), '+' or the end of the line");
    return ending ? tree.add_ending(at_move, *ending, std::move(node))
                  : tree.add_move(at_move, written, std::move(node));
}

bool is_column_heading(const Line& line) { return line.text.starts_with("手数--"); }

bool has_times(const Game& game) {
    for (std::size_t i = 0; i < game.node_count(); ++i)
        if (game.node(i).time) return true;
    return false;
}

std::string clock_text(milliseconds time, milliseconds total) {
    const auto seconds = std::max<long long>(time.count() / 1000, 0);
    const auto all = std::max<long long>(total.count() / 1000, 0);
    return fmt::format("({:2}:{:02}/{:02}:{:02}:{:02})", seconds / 60, seconds % 60, all / 3600, all / 60 % 60,
                       all % 60);
}

// Time used by each side on the way to the first move of a line.
std::array<milliseconds, 2> totals_before(const Game& game, std::size_t first, Color first_mover) {
    std::array<milliseconds, 2> totals{};
    Color mover = first_mover;
    for (std::size_t node = game.node(first).parent; node != Game::root(); node = game.node(node).parent) {
        mover = ~mover;
        totals[shogi::index(mover)] += game.node(node).time.value_or(milliseconds::zero());
    }
    return totals;
}

// A word of its own is written back only if it will be read as the same ending.
std::string_view word_for(const Node& node, Color to_move) {
    if (find_ending(node.ending_text) == node.ending) return node.ending_text;
    return ending_word(*node.ending, to_move);
}

void write_kif_line(std::string& text, const Game& game, text::Variation line, const PlayerNames& names) {
    std::array<milliseconds, 2> totals = totals_before(game, line.nodes.front(), line.position.side_to_move);
    std::size_t ply = line.first_ply;
    for (const std::size_t number : line.nodes) {
        const Node& node = game.node(number);
        const Color mover = line.position.side_to_move;
        const std::string move =
            node.ending ? std::string(word_for(node, mover)) : to_kif_move(line.position, node.move, line.previous);
        const std::size_t width = text::display_width(move);
        text +=
            fmt::format("{:4} {}{}", ply, move, std::string(width < kif_move_width ? kif_move_width - width : 1, ' '));
        milliseconds& total = totals[shogi::index(mover)];
        total += node.time.value_or(milliseconds::zero());
        if (node.time) text += clock_text(*node.time, node.total.value_or(total));
        const auto& siblings = game.node(node.parent).children;
        if (siblings.back() != number) text += '+';
        while (text.ends_with(' '))
            text.pop_back();
        text += '\n';
        text += text::note_lines(node);
        if (node.ending) {
            text += closing_line(*node.ending, ply - 1, mover, names);
            text += '\n';
        } else {
            line.previous = node.move.to();
            apply(line.position, node.move);
            ++ply;
        }
    }
}

}  // namespace

Result<Game> parse_kif(std::string_view text) {
    text::TreeReader tree;
    for (const Line& line : text::split_lines(text)) {
        if (is_column_heading(line)) continue;
        const auto taken = tree.read(line);
        if (!taken) return taken.error();
        if (*taken) continue;
        if (const auto move = read_move_line(tree, line); !move) return move.error();
    }
    return std::move(tree).finish();
}

std::string to_kif(const Game& game, Encoding stored_as) {
    const PlayerNames names = text::player_names(game);
    const bool in_utf8 = stored_as == Encoding::utf8 || stored_as == Encoding::utf8_bom;
    std::string text = fmt::format("#KIF version=2.0 encoding={}\n", in_utf8 ? name(Encoding::utf8) : name(stored_as));
    text += text::head_lines(game);
    text += has_times(game) ? "手数----指手---------消費時間--\n" : "手数----指手--\n";
    text += text::note_lines(game.node(Game::root()));
    bool first = true;
    for (text::Variation& line : text::variations(game)) {
        if (!std::exchange(first, false)) text += fmt::format("\n変化：{}手\n", line.first_ply);
        write_kif_line(text, game, std::move(line), names);
    }
    return text;
}

}  // namespace tsumugi::record
