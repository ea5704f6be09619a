// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "base/result.hpp"
#include "shogi/attack.hpp"
#include "shogi/bitboard.hpp"
#include "shogi/hand.hpp"
#include "shogi/setup.hpp"

namespace tsumugi::shogi {

// The pieces of a position, on squares and as sets. It knows nothing of moves or sliding attacks: evaluation
// and notation read it, BasicPosition changes it.
class Board {
public:
    [[nodiscard]] Color side_to_move() const { return side_; }
    [[nodiscard]] Piece piece_at(Square s) const { return squares_[s.slot()]; }
    [[nodiscard]] Hand hand(Color c) const { return hands_[index(c)]; }
    // none() when a mate problem leaves the attacker's king out.
    [[nodiscard]] Square king(Color c) const { return kings_[index(c)]; }
    // The number SFEN gives to the next move.
    [[nodiscard]] int move_number() const { return move_number_; }

    [[nodiscard]] const Bitboard& pieces(Color c) const { return by_color_[index(c)]; }
    [[nodiscard]] const Bitboard& pieces(Kind k) const { return by_kind_[index(k)]; }
    [[nodiscard]] Bitboard pieces(Color c, Kind k) const { return by_color_[index(c)] & by_kind_[index(k)]; }
    [[nodiscard]] Bitboard all() const { return by_color_[0] | by_color_[1]; }
    // Gold and everything that moves like it.
    [[nodiscard]] const Bitboard& golds() const { return by_kind_[gold_group]; }
    // King, horse and dragon: the pieces that have (part of) a king's step.
    [[nodiscard]] const Bitboard& king_steppers() const { return by_kind_[king_step_group]; }
    [[nodiscard]] Bitboard diagonal_sliders() const { return pieces(Kind::bishop) | pieces(Kind::horse); }
    [[nodiscard]] Bitboard straight_sliders() const { return pieces(Kind::rook) | pieces(Kind::dragon); }

    [[nodiscard]] Setup setup() const;

    // Why a setup cannot be a position of a game or a mate problem, if it cannot.
    static base::Result<void> check(const Setup& setup);

protected:
    // Besides its own set, every kind belongs to one group that is kept up to date with it; slot 0 collects
    // the kinds that need none.
    static constexpr std::size_t gold_group = kind_slots;
    static constexpr std::size_t king_step_group = kind_slots + 1;
    static constexpr std::array<std::uint8_t, kind_slots> group_of{0,
                                                                   0,
                                                                   0,
                                                                   0,
                                                                   0,
                                                                   0,
                                                                   0,
                                                                   gold_group,
                                                                   king_step_group,
                                                                   gold_group,
                                                                   gold_group,
                                                                   gold_group,
                                                                   gold_group,
                                                                   king_step_group,
                                                                   king_step_group};

    void toggle(Square s, Color c, Kind k) {
        const Bitboard& bit = Bitboard::of(s);
        by_color_[index(c)] ^= bit;
        by_kind_[index(k)] ^= bit;
        by_kind_[group_of[index(k)]] ^= bit;
    }

    std::array<Piece, Square::count> squares_{};
    std::array<Bitboard, 2> by_color_{};
    std::array<Bitboard, kind_slots + 2> by_kind_{};
    std::array<Hand, 2> hands_{};
    std::array<Square, 2> kings_{Square::none(), Square::none()};
    Color side_ = Color::black;
    int move_number_ = 1;
};

}  // namespace tsumugi::shogi
