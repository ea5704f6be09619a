// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/text/tree.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "record/handicap.hpp"

namespace tsumugi::record::text {
namespace {

using base::Error;
using base::Result;
using shogi::Color;
using shogi::Setup;
using shogi::Square;

constexpr std::string_view handicap_header = "手合割";
constexpr std::string_view header_colon = "：";
constexpr int largest_ply = 1'000'000;

// Line ends inside a header value would start lines of their own.
std::string on_one_line(std::string_view value) {
    std::string flat(value);
    std::replace_if(
        flat.begin(), flat.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return flat;
}

bool is_handicap_game(const Game& game) {
    if (game.header("下手") != nullptr || game.header("上手") != nullptr) return true;
    const Handicap* handicap = find_handicap(game.start);
    return handicap != nullptr && handicap->setup() != Setup::even();
}

// Does 手合割 alone tell the start of this game?
bool start_is_named(const Game& game) {
    const std::string* name = game.header(handicap_header);
    const Handicap* handicap = name != nullptr ? find_handicap_by_kif(*name) : find_handicap(game.start);
    return handicap != nullptr && handicap->setup() == game.start;
}

// A customary start is always named: a reader of the file should not have to know the default.
void name_start(Game& game) {
    if (game.header(handicap_header) != nullptr) return;
    if (const Handicap* handicap = find_handicap(game.start))
        game.headers.emplace_back(handicap_header, std::string(handicap->kif));
}

std::vector<std::size_t> path_to(const Game& game, std::size_t node) {
    std::vector<std::size_t> path;
    for (; node != Game::root(); node = game.node(node).parent)
        path.push_back(node);
    std::reverse(path.begin(), path.end());
    return path;
}

Variation variation_from(const Game& game, std::size_t first) {
    Variation line;
    line.position = game.start;
    std::vector<std::size_t> path = path_to(game, first);
    path.pop_back();
    for (const std::size_t node : path) {
        line.previous = game.node(node).move.to();
        apply(line.position, game.node(node).move);
    }
    line.first_ply = path.size() + 1;
    for (std::size_t node = first;; node = game.node(node).children.front()) {
        line.nodes.push_back(node);
        if (game.node(node).children.empty()) return line;
    }
}

}  // namespace

Result<bool> TreeReader::read(const Line& line) {
    last_line_ = line.number;
    if (trim(line.text).empty() || line.text.starts_with('#')) return true;
    if (line.text.starts_with('*')) {
        read_comment(line.text.substr(1));
        return true;
    }
    if (line.text.starts_with('&')) {
        game_.node(current()).bookmark = line.text.substr(1);
        return true;
    }
    Cursor cursor(line);
    cursor.skip_spaces();
    if (cursor.accept("変化")) {
        if (const auto begun = begin_variation(cursor); !begun) return begun.error();
        return true;
    }
    if (cursor.rest().starts_with("まで")) {
        if (const auto closed = read_closing(cursor); !closed) return closed.error();
        return true;
    }
    const auto drawn = diagram_.read(line);
    if (!drawn) return drawn.error();
    if (*drawn && start_settled_) return cursor.problem("a board diagram must stand before the moves");
    if (*drawn) return true;
    return read_header(line);
}

void TreeReader::read_comment(std::string_view comment) {
    Node& node = game_.node(current());
    if (commented_[current()]) node.comment += '\n';
    node.comment += comment;
    commented_[current()] = true;
}

Result<bool> TreeReader::read_header(const Line& line) {
    Cursor cursor(line);
    cursor.skip_spaces();
    const bool looks_like_move = cursor.accept_number(largest_ply) || accept_color_mark(cursor);
    const std::size_t colon = line.text.find(header_colon);
    if (colon == std::string_view::npos || (start_settled_ && looks_like_move)) return false;
    const std::string_view name = trim(line.text.substr(0, colon));
    if (name.empty()) return cursor.expected("a header name before ：");
    game_.headers.emplace_back(name, trim(line.text.substr(colon + header_colon.size())));
    return true;
}

Result<void> TreeReader::settle_start(const Cursor& cursor) {
    if (start_settled_) return {};
    const std::string* name = game_.header(handicap_header);
    const Handicap* handicap = name != nullptr ? find_handicap_by_kif(*name) : nullptr;
    if (name != nullptr && handicap == nullptr && !diagram_.has_board())
        return cursor.problem(
            fmt::format("手合割 '{}' is none of the customary ones (平手, 香落ち, …), so a board diagram "
                        "must stand before the moves",
                        *name));
    auto start = diagram_.apply_to(handicap != nullptr    ? handicap->setup()
                                   : diagram_.has_board() ? Setup()
                                                          : Setup::even());
    if (!start) return cursor.problem(start.error().message);
    if (first_mover_ && diagram_.has_board() && !diagram_.names_side()) start->side_to_move = *first_mover_;
    game_.start = *start;
    positions_ = {*start};
    start_settled_ = true;
    return {};
}

Result<const Setup*> TreeReader::position(const Cursor& cursor) {
    if (const auto settled = settle_start(cursor); !settled) return settled.error();
    return &positions_.back();
}

std::optional<Square> TreeReader::previous_destination() const {
    if (current() == Game::root()) return diagram_.last_destination();
    return game_.node(current()).move.to();
}

void TreeReader::note_move_number(int number) {
    if (!first_number_) first_number_ = number;
}

void TreeReader::append(Node node, const Setup& position) {
    path_.push_back(game_.add(current(), std::move(node)));
    positions_.push_back(position);
    commented_.push_back(false);
}

Result<void> TreeReader::add_move(const Cursor& cursor, const WrittenMove& written, Node notes) {
    const auto before = position(cursor);
    if (!before) return before.error();
    if (game_.node(current()).ending) return cursor.problem("a move after the end of the game");
    const auto move = resolve(**before, written, previous_destination());
    if (!move) return cursor.problem(move.error().message);
    Setup after = **before;
    apply(after, *move);
    notes.move = *move;
    append(std::move(notes), after);
    return {};
}

Result<void> TreeReader::add_ending(const Cursor& cursor, Ending ending, Node notes) {
    const auto before = position(cursor);
    if (!before) return before.error();
    if (game_.node(current()).ending) return cursor.problem("a second end of the same line of play");
    notes.ending = ending;
    append(std::move(notes), Setup(**before));
    return {};
}

Result<void> TreeReader::begin_variation(Cursor& cursor) {
    if (const auto settled = settle_start(cursor); !settled) return settled.error();
    if (!cursor.accept(header_colon) && !cursor.accept(":")) return cursor.expected("'：' after 変化");
    cursor.skip_spaces();
    const Cursor at_number = cursor;
    const auto number = cursor.accept_number(largest_ply);
    if (!number) return cursor.expected("the number of the move that differs");
    if (!cursor.accept("手")) return cursor.expected("手 after the number");
    // A variation replaces a move of the line listed last. `kept` nodes of it stay, the root among them.
    const int kept = *number - first_number_.value_or(1) + 1;
    const int available = static_cast<int>(path_.size()) - (game_.node(current()).ending ? 1 : 0);
    if (kept < 1 || kept > available)
        return at_number.problem(fmt::format(
            "a variation at move {} does not fit the line before it, which has {} moves", *number, available - 1));
    path_.resize(static_cast<std::size_t>(kept));
    positions_.resize(static_cast<std::size_t>(kept));
    return {};
}

Result<void> TreeReader::read_closing(const Cursor& cursor) {
    const auto before = position(cursor);
    if (!before) return before.error();
    if (game_.node(current()).ending) return {};
    if (const auto ending = read_closing_line(cursor.rest(), (*before)->side_to_move))
        return add_ending(cursor, *ending, {});
    return {};
}

Result<Game> TreeReader::finish() && {
    if (const auto settled = settle_start(Cursor(Line{"", last_line_})); !settled) return settled.error();
    name_start(game_);
    return std::move(game_);
}

std::vector<Variation> variations(const Game& game) {
    std::vector<Variation> lines;
    std::vector<std::size_t> pending;
    if (const auto& first = game.node(Game::root()).children; !first.empty()) pending.push_back(first.front());
    while (!pending.empty()) {
        lines.push_back(variation_from(game, pending.back()));
        pending.pop_back();
        // The last pushed comes next, so the alternatives of the first move are pushed first and those of the
        // last move last; a variation's own first move leaves its siblings to the line it departs from.
        for (const std::size_t node : lines.back().nodes) {
            const auto& siblings = game.node(game.node(node).parent).children;
            if (siblings.front() == node) pending.insert(pending.end(), siblings.rbegin(), siblings.rend() - 1);
        }
    }
    return lines;
}

PlayerNames player_names(const Game& game) { return is_handicap_game(game) ? handicap_player_names : PlayerNames{}; }

std::string head_lines(const Game& game) {
    Game named;
    named.start = game.start;
    named.headers = game.headers;
    name_start(named);
    std::string text;
    for (const auto& [name, value] : named.headers)
        text += fmt::format("{}{}{}\n", on_one_line(name), header_colon, on_one_line(value));
    if (!start_is_named(named)) text += to_bod(game.start, player_names(game));
    return text;
}

std::string note_lines(const Node& node) {
    std::string text;
    if (!node.comment.empty())
        for (std::size_t at = 0; at <= node.comment.size();) {
            const std::size_t end = std::min(node.comment.find('\n', at), node.comment.size());
            text += fmt::format("*{}\n", on_one_line(std::string_view(node.comment).substr(at, end - at)));
            at = end + 1;
        }
    if (!node.bookmark.empty()) text += fmt::format("&{}\n", on_one_line(node.bookmark));
    return text;
}

}  // namespace tsumugi::record::text
