// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/game.hpp"

namespace tsumugi::record {
namespace {

using shogi::Color;
using shogi::Kind;
using shogi::Move;
using shogi::Piece;
using shogi::Setup;

bool same_content(const Node& a, const Node& b) {
    return a.move == b.move && a.ending == b.ending && a.ending_text == b.ending_text && a.comment == b.comment &&
           a.bookmark == b.bookmark && a.time == b.time && a.total == b.total && a.children.size() == b.children.size();
}

}  // namespace

std::size_t Game::add(std::size_t parent, Node node) {
    const std::size_t number = nodes_.size();
    node.parent = parent;
    nodes_.push_back(std::move(node));
    nodes_[parent].children.push_back(number);
    return number;
}

std::vector<std::size_t> Game::main_line() const {
    std::vector<std::size_t> line;
    for (std::size_t at = root(); !nodes_[at].children.empty();) {
        at = nodes_[at].children.front();
        line.push_back(at);
    }
    return line;
}

std::vector<Move> Game::main_moves() const {
    std::vector<Move> moves;
    for (const std::size_t at : main_line()) {
        if (nodes_[at].ending) break;
        moves.push_back(nodes_[at].move);
    }
    return moves;
}

std::optional<Ending> Game::main_ending() const {
    for (const std::size_t at : main_line())
        if (nodes_[at].ending) return nodes_[at].ending;
    return std::nullopt;
}

const std::string* Game::header(std::string_view name) const {
    for (const auto& [key, value] : headers)
        if (key == name) return &value;
    return nullptr;
}

void Game::set_header(std::string_view name, std::string value) {
    for (auto& [key, old] : headers)
        if (key == name) {
            old = std::move(value);
            return;
        }
    headers.emplace_back(name, std::move(value));
}

bool Game::operator==(const Game& other) const {
    if (start != other.start || headers != other.headers || nodes_.size() != other.nodes_.size()) return false;
    // An explicit stack: a record can be far longer than the call stack is deep.
    std::vector<std::pair<std::size_t, std::size_t>> pending{{root(), root()}};
    while (!pending.empty()) {
        const auto [mine, theirs] = pending.back();
        pending.pop_back();
        const Node& a = nodes_[mine];
        const Node& b = other.nodes_[theirs];
        if (!same_content(a, b)) return false;
        for (std::size_t i = 0; i < a.children.size(); ++i)
            pending.emplace_back(a.children[i], b.children[i]);
    }
    return true;
}

void apply(Setup& setup, Move move) {
    const Color mover = setup.side_to_move;
    shogi::Hand& hand = setup.hand(mover);
    if (move.is_drop()) {
        if (hand.has(move.dropped())) hand.remove(move.dropped());
        setup.put(move.to(), Piece(mover, move.dropped()));
    } else if (!move.is_none()) {
        Piece piece = setup.at(move.from());
        const Piece captured = setup.at(move.to());
        const Kind prize = shogi::unpromoted(captured.kind());
        // The counters of Hand hold a full set and no more, so an impossible position must not overfill them.
        if (!captured.is_none() && prize != Kind::king && hand.count(prize) < shogi::full_set_count(prize))
            hand.add(prize);
        if (move.promotes() && shogi::can_promote(piece.kind()))
            piece = Piece(piece.color(), shogi::promoted(piece.kind()));
        setup.put(move.from(), Piece());
        setup.put(move.to(), piece);
    }
    setup.side_to_move = ~mover;
    ++setup.move_number;
}

}  // namespace tsumugi::record
