// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/position.hpp"

namespace tsumugi::shogi {

// From where the king of the side not to move can be checked: found once for a position, it answers for all its moves.
template <typename P>
class CheckView {
public:
    explicit CheckView(const P& position)
        : position_(position), them_(~position.side_to_move()), target_(position.king(them_)) {
        if (target_.is_none()) return;
        using S = typename P::Slider;
        visible_ = S::bishop(target_, position.occupancy()) | S::rook(target_, position.occupancy()) |
                   step_attacks(them_, Kind::knight, target_);
        uncovering_ = position.blockers(them_) & position.pieces(~them_);
    }

    // Squares from which a piece of this kind attacks the king. They are found as the attacks of an enemy piece
    // standing there; a moving slider's own square cannot spoil them, since it would be giving check already.
    [[nodiscard]] Bitboard from(Kind kind) const {
        return target_.is_none() ? Bitboard() : reach(them_, kind, target_) & visible_;
    }
    // Pieces that check by stepping off the line between one of their sliders and the king.
    [[nodiscard]] const Bitboard& uncovering() const { return uncovering_; }

    // For a pseudo-legal move.
    [[nodiscard]] bool gives_check(Move move) const {
        if (move.is_drop()) return from(move.dropped()).has(move.to());
        const Kind kind = position_.piece_at(move.from()).kind();
        if (from(move.promotes() ? promoted(kind) : kind).has(move.to())) return true;
        return uncovering_.has(move.from()) && !line_through(target_, move.from()).has(move.to());
    }

private:
    const P& position_;
    Color them_;
    Square target_;
    Bitboard visible_;  // all squares from which any piece could attack the king
    Bitboard uncovering_;
};

}  // namespace tsumugi::shogi
