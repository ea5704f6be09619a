// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/entry.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "record/sfen.hpp"

namespace tsumugi::book {

using shogi::Color;
using shogi::Move;
using shogi::Setup;
using shogi::Square;

const StoredMove* Entry::find(Move move) const {
    const auto found =
        std::find_if(moves.begin(), moves.end(), [&](const StoredMove& each) { return each.move == move; });
    return found == moves.end() ? nullptr : &*found;
}

void sort_best_first(std::vector<StoredMove>& moves) {
    const auto rank = [](const StoredMove& each) {
        return std::pair(each.value.value_or(std::numeric_limits<int>::min()), each.count.value_or(0));
    };
    std::stable_sort(moves.begin(), moves.end(),
                     [&](const StoredMove& a, const StoredMove& b) { return rank(a) > rank(b); });
}

void merge_into(Entry& first, const Entry& later, bool add_counts) {
    first.position.move_number = std::min(first.position.move_number, later.position.move_number);
    if (first.comment.empty()) first.comment = later.comment;
    for (const StoredMove& other : later.moves) {
        const auto known = std::find_if(first.moves.begin(), first.moves.end(),
                                        [&](const StoredMove& each) { return each.move == other.move; });
        if (known == first.moves.end()) {
            first.moves.push_back(other);
            continue;
        }
        if (!known->value) {
            known->value = other.value;
            known->depth = other.depth;
        }
        if (known->reply.is_none()) known->reply = other.reply;
        if (known->comment.empty()) known->comment = other.comment;
        if (known->mark == Mark::none) known->mark = other.mark;
        if (!known->count)
            known->count = other.count;
        else if (add_counts)
            *known->count += other.count.value_or(0);
    }
}

std::string position_text(const Setup& position) {
    std::string text = record::to_sfen(position);
    text.resize(text.rfind(' '));
    return text;
}

Setup flipped(const Setup& position) {
    Setup other;
    for (int i = 0; i < Square::count; ++i) {
        const Square s = Square::from_index(i);
        const shogi::Piece piece = position.at(s);
        if (!piece.is_none()) other.put(s.rotated(), {~piece.color(), piece.kind()});
    }
    other.hand(Color::black) = position.hand(Color::white);
    other.hand(Color::white) = position.hand(Color::black);
    other.side_to_move = ~position.side_to_move;
    other.move_number = position.move_number;
    return other;
}

Move flipped(Move move) {
    if (move.is_none()) return move;
    if (move.is_drop()) return Move::drop(move.dropped(), move.to().rotated());
    return Move::board(move.from().rotated(), move.to().rotated(), move.promotes());
}

Entry flipped(const Entry& entry) {
    Entry other = entry;
    other.position = flipped(entry.position);
    for (StoredMove& each : other.moves) {
        each.move = flipped(each.move);
        each.reply = flipped(each.reply);
    }
    return other;
}

}  // namespace tsumugi::book
