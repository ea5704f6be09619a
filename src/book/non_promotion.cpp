// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/non_promotion.hpp"

#include <fmt/format.h>

#include "record/sfen.hpp"
#include "shogi/position.hpp"

namespace tsumugi::book {
namespace {

// Pieces whose non-promotion a search usually leaves out.
bool is_seldom_unpromoted(shogi::Kind kind) {
    return kind == shogi::Kind::bishop || kind == shogi::Kind::rook || kind == shogi::Kind::pawn ||
           kind == shogi::Kind::lance;
}

}  // namespace

std::size_t add_equivalent_non_promotions(Entry& entry) {
    const auto position = shogi::Position::from(entry.position);
    if (!position) return 0;
    std::vector<StoredMove> all;
    for (const StoredMove& stored : entry.moves) {
        const shogi::Move move = stored.move;
        all.push_back(stored);
        if (!move.promotes() || !position->is_legal(move)) continue;
        if (stored.reply.is_none() || stored.reply.is_drop() || stored.reply.to() != move.to()) continue;
        if (!is_seldom_unpromoted(position->piece_at(move.from()).kind())) continue;
        StoredMove plain = stored;
        plain.move = shogi::Move::board(move.from(), move.to(), false);
        if (entry.find(plain.move) != nullptr || !position->is_legal(plain.move)) continue;
        plain.comment = fmt::format("the same as {} after {}", record::to_usi(move), record::to_usi(stored.reply));
        all.push_back(std::move(plain));
    }
    const std::size_t added = all.size() - entry.moves.size();
    entry.moves = std::move(all);
    return added;
}

}  // namespace tsumugi::book
