// SPDX-License-Identifier: GPL-3.0-or-later
#include "shogi/declaration.hpp"

namespace tsumugi::shogi {
namespace {

constexpr int full_set_points = 54;  // 4 large pieces and 34 small ones

constexpr bool is_large(Kind k) {
    const Kind base = unpromoted(k);
    return base == Kind::bishop || base == Kind::rook;
}

int points_in(const Board& board, Color c, const Bitboard& area) {
    const Bitboard counted = (board.pieces(c) & area).without(board.pieces(Kind::king));
    const Bitboard large = counted & (board.diagonal_sliders() | board.straight_sliders());
    int points = counted.count() + 4 * large.count();
    for (const Kind k : hand_kinds)
        points += board.hand(c).count(k) * (is_large(k) ? 5 : 1);
    return points;
}

}  // namespace

int declaration_points(const Board& board, Color c) { return points_in(board, c, promotion_zone[index(c)]); }

bool can_declare_win(const Board& board, bool in_check, EnteringKingRule rule) {
    if (rule == EnteringKingRule::none || rule == EnteringKingRule::try_rule || in_check) return false;
    const Color us = board.side_to_move();
    const Bitboard& camp = promotion_zone[index(us)];
    if (!camp.has(board.king(us))) return false;
    if ((board.pieces(us) & camp).count() < 11) return false;  // ten pieces beside the king

    const bool by_27 = rule == EnteringKingRule::points27 || rule == EnteringKingRule::points27_handicap;
    const bool handicap = rule == EnteringKingRule::points24_handicap || rule == EnteringKingRule::points27_handicap;
    int points = declaration_points(board, us);
    if (handicap && us == Color::white) {
        const Bitboard everywhere = Bitboard::all();
        points +=
            full_set_points - points_in(board, Color::black, everywhere) - points_in(board, Color::white, everywhere);
    }
    const int needed = !by_27 ? 31 : us == Color::black ? 28 : 27;
    return points >= needed;
}

}  // namespace tsumugi::shogi
