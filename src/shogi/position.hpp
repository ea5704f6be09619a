// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <vector>

#include "shogi/board.hpp"
#include "shogi/move.hpp"
#include "shogi/slider/fastest.hpp"
#include "shogi/zobrist.hpp"

namespace tsumugi::shogi {

// What the record of earlier positions says about the present one, seen from the side to move.
enum class Repetition {
    none,
    draw,
    win,       // the opponent has been giving perpetual check
    loss,      // the side to move has
    superior,  // the same board, but with more in hand than before
    inferior,  // the same board, but with less
};

// Everything that a move changes and that is cheaper to remember than to compute back.
struct State {
    Key board_key = 0;
    Key hand_key = 0;
    Bitboard checkers;  // pieces that give check to the side to move
    Bitboard pinned;    // its pieces that may leave the line to their king only at the price of check
    Hand mover_hand;    // of the side to move, for comparing hands in repetitions
    Move move;          // that led here
    Piece moved;        // as it stood before the move (unpromoted when it promoted)
    Piece captured;
    int plies_since_null = 0;
    std::array<std::int16_t, 2> checks_in_a_row{};  // moves in a row, up to here, by which a side gave check
};

// A position with its history, on the sliding-attack method S.
template <slider::Method S>
class BasicPosition : public Board {
public:
    using Slider = S;
    using Occupied = typename S::Occupied;

    // Accepts what Board::check accepts, unless the side not to move stands in check.
    static base::Result<BasicPosition> from(const Setup& setup);
    // The start of an even game.
    static BasicPosition even() { return *from(Setup::even()); }

    [[nodiscard]] const Occupied& occupancy() const { return occupied_; }
    [[nodiscard]] const Bitboard& occupied() const { return occupied_.board(); }
    [[nodiscard]] const State& state() const { return states_.back(); }
    // The position `plies` moves ago (0 is the present one).
    [[nodiscard]] const State& state(std::size_t plies) const { return states_[states_.size() - 1 - plies]; }
    [[nodiscard]] std::size_t history() const { return states_.size() - 1; }

    [[nodiscard]] const Bitboard& checkers() const { return state().checkers; }
    [[nodiscard]] bool in_check() const { return state().checkers.any(); }
    [[nodiscard]] const Bitboard& pinned() const { return state().pinned; }
    [[nodiscard]] Key board_key() const { return state().board_key; }
    [[nodiscard]] Key hand_key() const { return state().hand_key; }
    // Identifies board, hands and side to move.
    [[nodiscard]] Key key() const { return state().board_key + state().hand_key; }
    // The key after a board move or drop, close enough to prefetch a table slot with.
    [[nodiscard]] Key key_after(Move move) const;

    // A caller who knows that the move gives no check saves the look for it.
    void do_move(Move move, bool may_check = true);
    void undo_move();
    // Passing: the turn changes and nothing else. Not allowed in check.
    void do_null_move();
    void undo_null_move();

    // Is any piece of `by` able to capture on `s`, were the board occupied as given?
    [[nodiscard]] bool is_attacked(Color by, Square s, const Occupied& occupied) const;
    [[nodiscard]] bool is_attacked(Color by, Square s) const { return is_attacked(by, s, occupied_); }
    // Pieces of `by` that attack `s`.
    [[nodiscard]] Bitboard attackers(Color by, Square s, const Occupied& occupied) const;
    [[nodiscard]] Bitboard attackers(Color by, Square s) const { return attackers(by, s, occupied_); }
    // Pieces of both sides that do.
    [[nodiscard]] Bitboard attackers(Square s, const Occupied& occupied) const;
    // Lances, bishops, rooks and their promoted forms of `by` that attack `s` along a line.
    [[nodiscard]] Bitboard slider_attackers(Color by, Square s, const Occupied& occupied) const;
    [[nodiscard]] Bitboard slider_attackers(Square s, const Occupied& occupied) const;
    // What a piece standing on `s` attacks.
    [[nodiscard]] Bitboard attacks_from(Piece piece, Square s, const Occupied& occupied) const;
    [[nodiscard]] Bitboard attacks_from(Square s) const { return attacks_from(piece_at(s), s, occupied_); }
    // Pieces of either colour that stand alone between the king of `c` and an enemy slider.
    [[nodiscard]] Bitboard blockers(Color c) const;

    [[nodiscard]] bool gives_check(Move move) const;
    // Any 16 bits are accepted. Pseudo-legal means legal, except that a king may step into an attack.
    [[nodiscard]] bool is_pseudo_legal(Move move) const;
    [[nodiscard]] bool is_legal(Move move) const;
    // For a pseudo-legal move.
    [[nodiscard]] bool leaves_king_safe(Move move) const;
    // Would this pawn drop, otherwise legal, be mate (and so forbidden)?
    [[nodiscard]] bool is_pawn_drop_mate(Square to) const;

    [[nodiscard]] Piece piece_to_move(Move move) const {
        return move.is_drop() ? Piece(side_, move.dropped()) : piece_at(move.from());
    }
    [[nodiscard]] bool is_capture(Move move) const { return !move.is_drop() && !piece_at(move.to()).is_none(); }
    // A capture, or the promotion of a pawn, which gains as much as one.
    [[nodiscard]] bool is_tactical(Move move) const {
        return is_capture(move) || (move.promotes() && piece_at(move.from()).kind() == Kind::pawn);
    }

    // Times the present position (board, hands, side) has occurred, itself included.
    [[nodiscard]] int occurrences() const;
    // The rule of the game: decided at the fourth occurrence (never superior or inferior).
    [[nodiscard]] Repetition game_repetition() const;
    // For search: decided at the first return to a board of the last `plies` moves.
    [[nodiscard]] Repetition search_repetition(int plies) const;

private:
    BasicPosition() = default;

    void place(Square s, Piece piece) {
        squares_[s.slot()] = piece;
        toggle(s, piece.color(), piece.kind());
        occupied_.toggle(s);
    }
    void lift(Square s, Piece piece) {
        squares_[s.slot()] = Piece();
        toggle(s, piece.color(), piece.kind());
        occupied_.toggle(s);
    }
    // A piece of colour c on `from` attacks `to` when nothing stands between.
    [[nodiscard]] bool attacks(Piece piece, Square from, Square to) const {
        return reach(piece.color(), piece.kind(), from).has(to) && !between(from, to).intersects(occupied());
    }
    [[nodiscard]] Bitboard pinned_for(Color c) const;
    [[nodiscard]] Bitboard snipers(Color by, Square s) const;
    [[nodiscard]] bool may_be_dropped(Kind kind, Square to) const;
    void pass_turn(State& state, const Bitboard& checkers);

    Occupied occupied_;
    std::vector<State> states_;
};

using DefaultSlider = slider::Fastest;
using Position = BasicPosition<DefaultSlider>;

}  // namespace tsumugi::shogi

#include "shogi/position.inl"  // IWYU pragma: keep
