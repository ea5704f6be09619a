// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/movegen.hpp"

namespace tsumugi::shogi {

// Does this legal checking move end the game? Decided without playing it: the board after the move is the present one
// with one square emptied and one filled, and every question below is asked of that.
template <typename P>
class MateTest {
public:
    using Occupied = typename P::Occupied;

    explicit MateTest(const P& position)
        : p_(position), us_(position.side_to_move()), them_(~us_), king_(position.king(them_)) {}

    [[nodiscard]] bool is_mate(Move move) const {
        const After after(p_, move);
        if (king_escapes(after)) return false;
        const bool direct = after.moved_attacks(us_, king_, after.occupied.board());
        const Bitboard uncovered = p_.slider_attackers(us_, king_, after.occupied).without(after.gone);
        if (direct && uncovered.any()) return true;
        const Square checker = direct ? after.to : uncovered.first();
        if (can_be_taken(after, checker)) return false;
        const Bitboard& gap = between(king_, checker);
        return gap.empty() || !can_be_blocked(after, gap, move);
    }

private:
    struct After {
        After(const P& p, Move move)
            : occupied(p.occupancy()),
              to(move.to()),
              kind(move.is_drop() ? move.dropped() : p.piece_at(move.from()).kind()) {
            if (!move.is_drop()) {
                if (move.promotes()) kind = promoted(kind);
                gone = Bitboard::of(move.from());
                occupied.toggle(move.from());
            }
            if (p.piece_at(to).is_none()) occupied.toggle(to);
        }
        [[nodiscard]] bool moved_attacks(Color us, Square s, const Bitboard& board) const {
            return reach(us, kind, to).has(s) && !between(to, s).intersects(board);
        }

        Occupied occupied;
        Square to;
        Kind kind;
        Bitboard gone;  // where the moved piece stood, empty for a drop
    };

    [[nodiscard]] bool king_escapes(const After& after) const {
        Occupied without_king = after.occupied;
        without_king.toggle(king_);
        Bitboard flights = king_steps(king_).without(p_.pieces(them_).without(Bitboard::of(after.to)));
        while (flights.any()) {
            const Square s = flights.pop_first();
            if (after.moved_attacks(us_, s, without_king.board())) continue;
            if (p_.attackers(us_, s, without_king).without(after.gone).empty()) return true;
        }
        return false;
    }

    // Would their king stand in check by a slider, with the board occupied like this and our piece on `taken` gone?
    [[nodiscard]] bool exposed(const After& after, const Occupied& occupied, const Bitboard& taken) const {
        if (!taken.has(after.to) && after.moved_attacks(us_, king_, occupied.board())) return true;
        return p_.slider_attackers(us_, king_, occupied).without(after.gone | taken).any();
    }

    // Their pieces, other than the king, that reach `s`. What was just captured is no longer theirs.
    [[nodiscard]] Bitboard defenders(const After& after, Square s) const {
        return p_.attackers(them_, s, after.occupied).without(Bitboard::of(king_) | Bitboard::of(after.to));
    }

    [[nodiscard]] bool can_be_taken(const After& after, Square checker) const {
        Bitboard takers = defenders(after, checker);
        while (takers.any()) {
            Occupied occupied = after.occupied;
            occupied.toggle(takers.pop_first());
            if (!exposed(after, occupied, Bitboard::of(checker))) return true;
        }
        return false;
    }

    [[nodiscard]] bool can_be_blocked(const After& after, const Bitboard& gap, Move move) const {
        bool only_pawn_check = false;
        Bitboard squares = gap;
        while (squares.any()) {
            const Square s = squares.pop_first();
            for (const Kind kind : hand_kinds) {
                if (!p_.hand(them_).has(kind) || dead_end[index(them_)][index(kind)].has(s)) continue;
                if (kind != Kind::pawn) return true;
                if (p_.pieces(them_, Kind::pawn).without(Bitboard::of(after.to)).intersects(file_set(s.file())))
                    continue;
                if (!step_attacks(them_, Kind::pawn, s).has(p_.king(us_))) return true;
                only_pawn_check = true;
            }
            Bitboard movers = defenders(after, s);
            while (movers.any()) {
                Occupied occupied = after.occupied;
                occupied.toggle(movers.pop_first());
                occupied.toggle(s);
                if (!exposed(after, occupied, Bitboard())) return true;
            }
        }
        // A pawn that blocks and gives check at once may itself be a forbidden mate: rare enough to play it out.
        if (!only_pawn_check) return false;
        P played = p_;
        played.do_move(move);
        return has_legal_move(played);
    }

    const P& p_;
    Color us_;
    Color them_;
    Square king_;
};

// A move that mates at once, or none: complete over all legal moves, drops and discovered checks included.
template <typename P>
Move mate_in_one(const P& position) {
    MoveList checks;
    checking_moves(position, checks);
    if (checks.empty()) return Move::none();
    const MateTest<P> test(position);
    for (const Move move : checks)
        if (test.is_mate(move)) return move;
    return Move::none();
}

}  // namespace tsumugi::shogi
