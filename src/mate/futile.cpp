// SPDX-License-Identifier: GPL-3.0-or-later
#include "mate/futile.hpp"

#include <algorithm>

#include "shogi/movegen.hpp"

namespace tsumugi::mate {

using shogi::Move;
using shogi::Piece;
using shogi::Position;
using shogi::Square;

namespace {

// The defender has dropped a piece on `square` and the checker has taken it: what he gave is left in his hand, which
// can only help him.
bool ends_after_taking(const Position& before, Square checker, Move taking) {
    shogi::Setup setup = before.setup();
    const Piece piece = setup.at(checker);
    setup.put(checker, Piece());
    setup.put(taking.to(), taking.promotes() ? Piece(piece.color(), shogi::promoted(piece.kind())) : piece);
    const auto after = Position::from(setup);
    return after && after->in_check() && ends_but_for_futility(*after);
}

}  // namespace

bool ends_but_for_futility(const Position& position) {
    if (!position.in_check()) return false;
    shogi::MoveList moves;
    shogi::legal_moves(position, moves);
    if (moves.empty()) return true;
    const bool only_drops = std::all_of(moves.begin(), moves.end(), [](Move m) { return m.is_drop(); });
    if (!only_drops) return false;
    const Square checker = position.checkers().first();
    shogi::Bitboard tried;
    Position p = position;
    for (const Move drop : moves) {
        if (tried.has(drop.to())) continue;
        tried |= shogi::Bitboard::of(drop.to());
        p.do_move(drop);
        const Move plain = Move::board(checker, drop.to());
        const Move promoting = Move::board(checker, drop.to(), true);
        const bool can_promote = p.is_legal(promoting);
        const bool can_stay = p.is_legal(plain);
        p.undo_move();
        if (!(can_promote && ends_after_taking(position, checker, promoting)) &&
            !(can_stay && ends_after_taking(position, checker, plain)))
            return false;
    }
    return true;
}

}  // namespace tsumugi::mate
