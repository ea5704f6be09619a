// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/usen.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "record/sfen.hpp"

namespace tsumugi::record {
namespace {

using base::Error;
using base::Result;
using shogi::Kind;
using shogi::Move;
using shogi::Square;

constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
constexpr unsigned base_36 = 36;
constexpr int first_drop = Square::count + 9;
constexpr std::array<Kind, 7> drop_order{Kind::gold,   Kind::pawn,   Kind::lance, Kind::knight,
                                         Kind::silver, Kind::bishop, Kind::rook};

Error syntax(std::string message) { return {Error::Code::syntax, "USEN: " + std::move(message)}; }

int to_rank_order(Square square) { return (square.rank() - 1) * 9 + square.file() - 1; }
Square from_rank_order(int number) { return Square::at(number % 9 + 1, number / 9 + 1); }

std::string code_of(Move move) {
    int origin = 0;
    if (move.is_drop())
        origin = first_drop +
                 static_cast<int>(std::find(drop_order.begin(), drop_order.end(), move.dropped()) - drop_order.begin());
    else
        origin = to_rank_order(move.from());
    auto number =
        static_cast<unsigned>((origin * Square::count + to_rank_order(move.to())) * 2 + (move.promotes() ? 1 : 0));
    std::string code(3, '0');
    for (std::size_t i = code.size(); i-- > 0; number /= base_36)
        code[i] = digits[number % base_36];
    return code;
}

Result<Move> move_of(std::string_view code) {
    int number = 0;
    for (const char c : code) {
        const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        const std::size_t digit = digits.find(lower);
        if (digit == std::string_view::npos) return syntax(fmt::format("'{}' is no base-36 number", code));
        number = number * static_cast<int>(base_36) + static_cast<int>(digit);
    }
    const bool promotes = number % 2 == 1;
    const int origin = number / 2 / Square::count;
    const int target = number / 2 % Square::count;
    const Square to = from_rank_order(target);
    if (origin < Square::count && origin != target) return Move::board(from_rank_order(origin), to, promotes);
    if (origin >= first_drop && origin - first_drop < static_cast<int>(drop_order.size()) && !promotes)
        return Move::drop(drop_order[static_cast<std::size_t>(origin - first_drop)], to);
    return syntax(fmt::format("'{}' is no move", code));
}

char code_of(Ending ending) {
    switch (ending) {
        case Ending::resign: return 'r';
        case Ending::time_up: return 't';
        case Ending::illegal_move:
        case Ending::illegal_by_black:
        case Ending::illegal_by_white:
        case Ending::opponent_illegal:
        case Ending::perpetual_check: return 'i';
        case Ending::impasse:
        case Ending::draw:
        case Ending::max_moves: return 'j';
        case Ending::interrupted:
        case Ending::repetition:
        case Ending::declaration_win:
        case Ending::mate:
        case Ending::no_mate:
        case Ending::default_win:
        case Ending::default_loss:
        case Ending::takeback:
        case Ending::sealed:
        case Ending::error: break;
    }
    return 'p';
}

Result<std::optional<Ending>> ending_of(std::string_view code) {
    if (code.empty()) return std::optional<Ending>();
    if (code == "r") return std::optional(Ending::resign);
    if (code == "t") return std::optional(Ending::time_up);
    if (code == "i") return std::optional(Ending::illegal_move);
    if (code == "j") return std::optional(Ending::impasse);
    if (code == "p") return std::optional(Ending::interrupted);
    return syntax(fmt::format("an end must be r, t, i, j, p or nothing, got '{}'", base::shorten(code, 20)));
}

std::string substitute(std::string_view text, std::string_view from, std::string_view to) {
    std::string changed(text);
    for (char& c : changed)
        if (const std::size_t at = from.find(c); at != std::string_view::npos) c = to[at];
    return changed;
}

// Appends one line "offset.moves.end". `path` holds the nodes of the line before it, the root first. The offset of the
// main line means nothing: it begins at the start, whatever number the position has in its game.
Result<void> read_line(std::string_view text, bool is_main, Game& game, std::vector<std::size_t>& path) {
    const auto parts = base::split(text, '.');
    if (parts.size() < 2 || parts.size() > 3)
        return syntax(fmt::format("a line must look like 0.moves.r, got '{}'", base::shorten(text, 20)));
    const auto offset = base::parse_number<std::size_t>(parts[0]);
    if (!offset) return syntax(fmt::format("'{}' is no number of moves", base::shorten(parts[0], 20)));
    if (!is_main) {
        if (*offset >= path.size())
            return syntax(fmt::format("a line branches off after move {}, but the line before it has {}", *offset,
                                      path.size() - 1));
        path.resize(*offset + 1);
    }
    const std::string_view moves = parts[1];
    if (moves.size() % 3 != 0) return syntax("moves must have three characters each");
    for (std::size_t at = 0; at < moves.size(); at += 3) {
        const auto move = move_of(moves.substr(at, 3));
        if (!move) return move.error();
        Node node;
        node.move = *move;
        path.push_back(game.add(path.back(), std::move(node)));
    }
    const auto ending = ending_of(parts.size() == 3 ? parts[2] : "");
    if (!ending) return ending.error();
    if (ending->has_value()) {
        Node node;
        node.ending = *ending;
        game.add(path.back(), std::move(node));
    }
    return {};
}

// A line still to be written: it begins with this node, which stands after `offset` moves.
struct Branch {
    std::size_t node;
    std::size_t offset;
};

// Writes the line from a node to its end. Its own branches go on the stack, the deepest last and so written first:
// a reader finds every branching point on the line read before.
void write_usen_line(std::string& out, const Game& game, Branch branch, std::vector<Branch>& stack) {
    out += fmt::format("~{}.", branch.offset);
    char end = 0;
    for (std::size_t at = branch.node, offset = branch.offset;; ++offset) {
        const Node& node = game.node(at);
        if (node.ending) {
            end = code_of(*node.ending);
            break;
        }
        out += code_of(node.move);
        if (node.children.empty()) break;
        for (std::size_t i = node.children.size(); i-- > 1;)
            stack.push_back({node.children[i], offset + 1});
        at = node.children.front();
    }
    out += '.';
    if (end != 0) out += end;
}

}  // namespace

Result<Game> parse_usen(std::string_view text) {
    const auto lines = base::split(base::trim(text), '~');
    Game game;
    if (!lines[0].empty()) {
        const bool has_space = lines[0].find_first_of(" \t\r\n") != std::string_view::npos;
        if (has_space || std::count(lines[0].begin(), lines[0].end(), '.') != 2)
            return syntax("the start must have board, side and hands, separated by '.'");
        auto start = parse_sfen(substitute(lines[0], "_.z", "/ +"));
        if (!start) return start.error().in("USEN");
        game.start = *start;
    }
    if (lines.size() < 2) return syntax("there must be a line of moves after '~', such as ~0.7ku2jm.r");
    std::vector<std::size_t> path{Game::root()};
    for (std::size_t i = 1; i < lines.size(); ++i)
        if (auto done = read_line(lines[i], i == 1, game, path); !done) return done.error();
    return game;
}

std::string to_usen(const Game& game) {
    std::string out;
    shogi::Setup start = game.start;
    start.move_number = 1;
    if (const std::string sfen = to_sfen(start); sfen != even_sfen)
        out = substitute(std::string_view(sfen).substr(0, sfen.rfind(' ')), "/ +", "_.z");
    const auto& first = game.node(Game::root()).children;
    if (first.empty()) return out + "~0..";
    std::vector<Branch> stack;
    for (std::size_t i = first.size(); i-- > 0;)
        stack.push_back({first[i], 0});
    while (!stack.empty()) {
        const Branch branch = stack.back();
        stack.pop_back();
        write_usen_line(out, game, branch, stack);
    }
    return out;
}

}  // namespace tsumugi::record
