// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/nnue/attack_count.hpp"

#include "shogi/slider/bit_arithmetic.hpp"

namespace tsumugi::eval::nnue {
namespace {

using shogi::Bitboard;
using shogi::Color;
using shogi::Kind;
using shogi::Piece;
using shogi::Square;
using Slider = shogi::slider::BitArithmetic;

Bitboard attacks(Piece piece, Square s, const Slider::Occupied& occupied) {
    const Bitboard& steps = shogi::step_attacks(piece.color(), piece.kind(), s);
    switch (piece.kind()) {
        case Kind::lance:
            return piece.color() == Color::black ? Slider::lance<Color::black>(s, occupied)
                                                 : Slider::lance<Color::white>(s, occupied);
        case Kind::bishop:
        case Kind::horse: return steps | Slider::bishop(s, occupied);
        case Kind::rook:
        case Kind::dragon: return steps | Slider::rook(s, occupied);
        case Kind::none:
        case Kind::pawn:
        case Kind::knight:
        case Kind::silver:
        case Kind::gold:
        case Kind::king:
        case Kind::pro_pawn:
        case Kind::pro_lance:
        case Kind::pro_knight:
        case Kind::pro_silver: break;
    }
    return steps;
}

template <typename PieceAt>
AttackCounts count(const Bitboard& all, PieceAt&& piece_at) {
    AttackCounts counts{};
    Slider::Occupied occupied;
    all.for_each([&](Square s) { occupied.toggle(s); });
    all.for_each([&](Square s) {
        const Piece piece = piece_at(s);
        auto& mine = counts[index(piece.color())];
        attacks(piece, s, occupied).for_each([&](Square target) { ++mine[target.slot()]; });
    });
    return counts;
}

}  // namespace

AttackCounts count_attacks(const shogi::Board& board) {
    return count(board.all(), [&](Square s) { return board.piece_at(s); });
}

AttackCounts count_attacks(const shogi::Setup& setup) {
    Bitboard all;
    for (std::size_t i = 0; i < Square::count; ++i)
        if (!setup.board[i].is_none()) all |= Bitboard::of(Square::from_index(i));
    return count(all, [&](Square s) { return setup.at(s); });
}

}  // namespace tsumugi::eval::nnue
