// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "shogi/movegen.hpp"

namespace tsumugi::shogi {

// Does this legal checking move end the game? Decided without playing it: the board after the move is the present one
// with one square emptied and one filled, and every question below is asked of that.
template <typename P>
class MateTest {
public:
    using Occupied = typename P::Occupied;

    explicit MateTest(const P& position)
        : p_(position),
          us_(position.side_to_move()),
          them_(~us_),
          king_(position.king(them_)),
          attacked_(attacked_ring()),
          flights_(king_steps(king_).without(attacked_).without(position.pieces(them_))) {}

    [[nodiscard]] bool is_mate(Move move) const {
        const After after(p_, move);
        if (leaves_a_flight(after)) return false;
        if (king_escapes(after)) return false;
        const bool direct = after.moved_attacks(us_, king_, after.occupied.board());
        const Bitboard uncovered = p_.slider_attackers(us_, king_, after.occupied).without(after.gone);
        if (direct && uncovered.any()) return true;
        const Square checker = direct ? after.to : uncovered.first();
        if (can_be_taken(after, checker)) return false;
        const Bitboard& gap = between(king_, checker);
        return gap.empty() || !can_be_blocked(after, gap, move);
    }

    // Neighbours of their king that we do not attack: a piece dropped there is simply taken.
    [[nodiscard]] Bitboard undefended_ring() const { return king_steps(king_).without(attacked_); }

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

    // The neighbours of their king that we attack now, were the king itself out of the way.
    [[nodiscard]] Bitboard attacked_ring() const {
        using S = typename P::Slider;
        const Bitboard& ring = king_steps(king_);
        const Bitboard& ours = p_.pieces(us_);
        Bitboard attacked;
        // A stepper farther than two squares from the king reaches none of its neighbours, a knight three.
        const Bitboard steppers = ours & within(king_, 2);
        (steppers & (p_.pieces(Kind::pawn) | p_.pieces(Kind::silver) | p_.golds() | p_.king_steppers()))
            .for_each([&](Square s) { attacked |= step_attacks(us_, p_.piece_at(s).kind(), s); });
        (ours & p_.pieces(Kind::knight) & within(king_, 3)).for_each([&](Square s) {
            attacked |= step_attacks(us_, Kind::knight, s);
        });
        Occupied without_king = p_.occupancy();
        without_king.toggle(king_);
        (ours & p_.diagonal_sliders()).for_each([&](Square s) {
            if (bishop_rays(s).intersects(ring)) attacked |= S::bishop(s, without_king);
        });
        (ours & p_.straight_sliders()).for_each([&](Square s) {
            if (rook_rays(s).intersects(ring)) attacked |= S::rook(s, without_king);
        });
        (ours & p_.pieces(Kind::lance)).for_each([&](Square s) {
            if (lance_ray(us_, s).intersects(ring))
                attacked |= us_ == Color::black ? S::template lance<Color::black>(s, without_king)
                                                : S::template lance<Color::white>(s, without_king);
        });
        return attacked & ring;
    }

    // A quick no for most moves: a neighbour of the king that was free stays so unless the moved piece attacks or
    // takes it, or a line opens behind that piece.
    [[nodiscard]] bool leaves_a_flight(const After& after) const {
        if (after.gone.any()) {
            const Square from = after.gone.first();
            const Bitboard others = p_.pieces(us_).without(after.gone);
            if ((bishop_rays(from) & p_.diagonal_sliders()).intersects(others) ||
                (rook_rays(from) & (p_.straight_sliders() | p_.pieces(Kind::lance))).intersects(others))
                return false;
        }
        return flights_.without(reach(us_, after.kind, after.to) | Bitboard::of(after.to)).any();
    }

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
    Bitboard attacked_;
    Bitboard flights_;  // where their king could go if it were its turn now, captures included
};

// Receives checking moves and keeps the first that mates.
template <typename P>
class MateSink {
public:
    explicit MateSink(const P& position) : position_(position) {}

    void moves(Square from, const Bitboard& to) {
        try_each(to, [from](Square s) { return Move::board(from, s); });
    }
    void promotions(Square from, const Bitboard& to) {
        try_each(to, [from](Square s) { return Move::board(from, s, true); });
    }
    void drops(Kind kind, const Bitboard& to) {
        if (to.empty()) return;
        try_each(to.without(test().undefended_ring()), [kind](Square s) { return Move::drop(kind, s); });
    }
    [[nodiscard]] Move found() const { return found_; }

private:
    template <typename MakeMove>
    void try_each(const Bitboard& to, MakeMove make) {
        Bitboard rest = to;
        while (found_.is_none() && rest.any())
            if (const Move move = make(rest.pop_first()); test().is_mate(move)) found_ = move;
    }
    // Most positions have no check at all, so the test is prepared for the first one.
    const MateTest<P>& test() {
        if (!test_) test_.emplace(position_);
        return *test_;
    }

    const P& position_;
    std::optional<MateTest<P>> test_;
    Move found_;
};

// A move that mates at once, or none: complete over all legal moves, drops and discovered checks included.
template <typename P>
Move mate_in_one(const P& position, const CheckView<P>& view) {
    MateSink<P> sink(position);
    generate_checks(position, view, sink);
    return sink.found();
}
template <typename P>
Move mate_in_one(const P& position) {
    return mate_in_one(position, CheckView<P>(position));
}

}  // namespace tsumugi::shogi
