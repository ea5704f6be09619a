// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/entering_king.hpp"

#include <array>

#include "shogi/movegen.hpp"

namespace tsumugi::learn {
namespace {

using shogi::Color;
using shogi::Kind;
using shogi::Piece;
using shogi::Setup;
using shogi::Square;

// A square with the rank as its owner counts it: 1 to 3 is the opponent's camp.
Square square_for(Color owner, int file, int rank) {
    return Square::at(file, owner == Color::black ? rank : 10 - rank);
}

Square random_square(base::Random& random, Color owner, int first_rank, int last_rank) {
    return square_for(owner, static_cast<int>(random.between(1, 9)),
                      static_cast<int>(random.between(first_rank, last_rank)));
}

void place_king(base::Random& random, Setup& setup, Color owner, bool entered) {
    while (true) {
        const Square s = entered ? random_square(random, owner, 1, 4) : random_square(random, owner, 6, 9);
        if (!setup.at(s).is_none()) continue;
        setup.put(s, Piece(owner, Kind::king));
        return;
    }
}

// Around the own king, where guards stand, or anywhere.
Square square_of_piece(base::Random& random, Color owner, Square king) {
    if (random.below(2) == 0) return random_square(random, owner, 1, 9);
    const int file = king.file() + static_cast<int>(random.between(-2, 2));
    const int rank = king.rank() + static_cast<int>(random.between(-2, 2));
    if (file < 1 || file > 9 || rank < 1 || rank > 9) return random_square(random, owner, 1, 9);
    return Square::at(file, rank);
}

void place_piece(base::Random& random, Setup& setup, Kind kind, Color owner, Square king) {
    constexpr int tries = 8;
    const bool in_hand = random.below(100) < 30;
    for (int i = 0; i < tries && !in_hand; ++i) {
        const Square s = square_of_piece(random, owner, king);
        if (!setup.at(s).is_none()) continue;
        const bool promotes = shogi::can_promote(kind) && s.rank_for(owner) <= 4 && random.below(4) != 0;
        Setup changed = setup;
        changed.put(s, Piece(owner, promotes ? shogi::promoted(kind) : kind));
        if (!shogi::Board::check(changed)) continue;
        setup = changed;
        return;
    }
    setup.hand(owner).add(kind);
}

}  // namespace

Setup entering_king_start(base::Random& random) {
    while (true) {
        Setup setup;
        const Color first = random.below(2) == 0 ? Color::black : Color::white;
        place_king(random, setup, first, true);
        place_king(random, setup, ~first, random.below(3) != 0);
        std::array<Square, 2> kings;
        for (std::size_t i = 0; i < setup.board.size(); ++i)
            if (setup.board[i].kind() == Kind::king) kings[index(setup.board[i].color())] = Square::from_index(i);
        for (const Kind kind : shogi::hand_kinds)
            for (int i = 0; i < shogi::full_set_count(kind); ++i) {
                const Color owner = random.below(2) == 0 ? Color::black : Color::white;
                place_piece(random, setup, kind, owner, kings[index(owner)]);
            }
        setup.side_to_move = random.below(2) == 0 ? Color::black : Color::white;
        const auto position = shogi::Position::from(setup);
        if (position && !position->in_check() && shogi::has_legal_move(*position)) return setup;
    }
}

}  // namespace tsumugi::learn
