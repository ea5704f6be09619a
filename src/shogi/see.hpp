// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

#include "shogi/position.hpp"

namespace tsumugi::shogi {

// What pieces are worth in an exchange, on the scale where a pawn is 90. A king is worth more than all the rest.
constexpr std::array<int, kind_slots> exchange_values{0,     90,  315, 405, 495, 855, 990, 540,
                                                      15000, 540, 540, 540, 540, 945, 1395};

constexpr int exchange_value(Kind k) { return exchange_values[index(k)]; }

// By how much a capture and a promotion change the balance: what is taken leaves one side and, unpromoted, joins the
// other's hand.
template <typename P>
int material_swing(const P& position, Move move) {
    int swing = 0;
    if (!move.is_drop()) {
        const Kind taken = position.piece_at(move.to()).kind();
        if (taken != Kind::none) swing += exchange_value(taken) + exchange_value(unpromoted(taken));
        if (move.promotes()) {
            const Kind kind = position.piece_at(move.from()).kind();
            swing += exchange_value(promoted(kind)) - exchange_value(kind);
        }
    }
    return swing;
}

namespace detail {

// The pieces of both sides that can still take part in the captures on one square.
template <typename P>
class Exchange {
public:
    Exchange(const P& position, Move move) : p_(position), to_(move.to()), occupied_(position.occupancy()) {
        if (p_.piece_at(to_).is_none()) occupied_.toggle(to_);
        if (!move.is_drop()) leave(move.from());
        attackers_ = p_.attackers(to_, occupied_).without(gone_);
    }

    // Takes with the cheapest piece of `side` and returns its kind; none when it has nothing to take with. A king
    // does not take what is still defended.
    Kind take(Color side) {
        const Bitboard takers = attackers_ & p_.pieces(side);
        if (takers.empty()) return Kind::none;
        for (const Kind kind : cheapest_first) {
            const Bitboard candidates = takers & (kind == Kind::gold ? p_.golds() : p_.pieces(kind));
            if (candidates.empty()) continue;
            leave(candidates.first());
            attackers_ = attackers_.without(gone_);
            // A slider may have stood behind the piece that took; nothing stands behind a knight.
            if (kind != Kind::knight) attackers_ |= p_.slider_attackers(to_, occupied_).without(gone_);
            return kind;
        }
        if (attackers_.intersects(p_.pieces(~side))) return Kind::none;
        attackers_ = Bitboard();
        return Kind::king;
    }

private:
    // Everything that moves like a gold is worth the same and counts as gold here.
    static constexpr std::array<Kind, 9> cheapest_first{Kind::pawn,   Kind::lance, Kind::knight,
                                                        Kind::silver, Kind::gold,  Kind::bishop,
                                                        Kind::horse,  Kind::rook,  Kind::dragon};

    void leave(Square from) {
        occupied_.toggle(from);
        gone_ |= Bitboard::of(from);
    }

    const P& p_;
    Square to_;
    typename P::Occupied occupied_;
    Bitboard gone_;
    Bitboard attackers_;
};

}  // namespace detail

// Static exchange evaluation: does the mover keep at least `threshold` from the captures on the destination square,
// when both sides take with their cheapest piece and stop when going on would lose? Pins are ignored, and so are
// promotions after the first move.
template <typename P>
bool exchange_gains(const P& position, Move move, int threshold) {
    Kind standing = position.piece_to_move(move).kind();
    int gained = exchange_value(position.piece_at(move.to()).kind());
    if (move.promotes()) {
        gained += exchange_value(promoted(standing)) - exchange_value(standing);
        standing = promoted(standing);
    }
    if (gained < threshold) return false;                             // not even if nothing is taken back
    if (gained - exchange_value(standing) >= threshold) return true;  // even if the piece is lost for nothing

    // gains[i] is what the side that makes capture i has won by it, should the exchange stop there, counted from the
    // threshold: only the sign of the outcome matters.
    std::array<int, 41> gains;
    std::size_t last = 0;
    gains[0] = gained - threshold;
    detail::Exchange<P> exchange(position, move);
    for (Color side = ~position.side_to_move(); last + 1 < gains.size(); side = ~side) {
        const Kind taker = exchange.take(side);
        if (taker == Kind::none) break;
        gains[last + 1] = exchange_value(standing) - gains[last];
        ++last;
        standing = taker;
        // Neither stopping before nor after this capture helps its maker: the rest cannot change the verdict.
        if (std::max(-gains[last - 1], gains[last]) < 0) break;
    }
    for (; last > 0; --last)
        gains[last - 1] = -std::max(-gains[last - 1], gains[last]);
    return gains[0] >= 0;
}

}  // namespace tsumugi::shogi
