// SPDX-License-Identifier: GPL-3.0-or-later
// Definitions of BasicPosition. They are here, not in a source file, because do_move and the attack tests must be
// inlined into the loops of every slider method.
#pragma once

namespace tsumugi::shogi {

template <slider::Method S>
base::Result<BasicPosition<S>> BasicPosition<S>::from(const Setup& setup) {
    if (auto possible = check(setup); !possible) return possible.error();
    BasicPosition p;
    State state;
    for (std::size_t i = 0; i < Square::count; ++i) {
        const Square s = Square::from_index(i);
        const Piece piece = setup.at(s);
        if (piece.is_none()) continue;
        p.place(s, piece);
        if (piece.kind() == Kind::king) p.kings_[index(piece.color())] = s;
        state.board_key ^= zobrist.on_board[piece.slot()][i];
    }
    p.hands_ = setup.hands;
    for (const Color c : both_colors)
        for (const Kind k : hand_kinds)
            state.hand_key += zobrist.in_hand[index(c)][index(k)] * static_cast<Key>(p.hand(c).count(k));
    p.side_ = setup.side_to_move;
    p.move_number_ = setup.move_number;
    if (p.side_ == Color::white) state.board_key ^= Zobrist::white_to_move;
    const Square king = p.king(p.side_);
    if (!king.is_none()) state.checkers = p.attackers(~p.side_, king);
    state.pinned = p.pinned_for(p.side_);
    state.mover_hand = p.hand(p.side_);
    if (const Square other = p.king(~p.side_); !other.is_none() && p.is_attacked(p.side_, other))
        return base::Error{base::Error::Code::range, "the side that is not to move stands in check"};
    p.states_.push_back(state);
    return p;
}

template <slider::Method S>
Key BasicPosition<S>::key_after(Move move) const {
    Key board = board_key() ^ Zobrist::white_to_move;
    Key hand = hand_key();
    const std::size_t to = move.to().slot();
    if (move.is_drop()) {
        board ^= zobrist.on_board[Piece(side_, move.dropped()).slot()][to];
        return board + hand - zobrist.in_hand[index(side_)][index(move.dropped())];
    }
    const Piece piece = piece_at(move.from());
    const Piece after = move.promotes() ? Piece(side_, promoted(piece.kind())) : piece;
    board ^= zobrist.on_board[piece.slot()][move.from().slot()] ^ zobrist.on_board[after.slot()][to];
    if (const Piece taken = piece_at(move.to()); !taken.is_none()) {
        board ^= zobrist.on_board[taken.slot()][to];
        hand += zobrist.in_hand[index(side_)][index(unpromoted(taken.kind()))];
    }
    return board + hand;
}

template <slider::Method S>
void BasicPosition<S>::pass_turn(State& state, const Bitboard& checkers) {
    const Color us = side_;
    side_ = ~us;
    ++move_number_;
    state.board_key ^= Zobrist::white_to_move;
    state.checkers = checkers;
    auto& run = state.checks_in_a_row[index(us)];
    run = checkers.any() ? static_cast<std::int16_t>(run + 1) : std::int16_t{0};
    state.mover_hand = hands_[index(side_)];
    state.pinned = pinned_for(side_);
}

template <slider::Method S>
void BasicPosition<S>::do_move(Move move, bool may_check) {
    const Color us = side_;
    const Square to = move.to();
    State& state = states_.emplace_back(states_.back());
    state.move = move;
    state.captured = Piece();
    ++state.plies_since_null;

    const Square target = king(~us);
    may_check = may_check && !target.is_none();
    Bitboard checkers;
    if (move.is_drop()) {
        const Kind kind = move.dropped();
        const Piece piece(us, kind);
        hands_[index(us)].remove(kind);
        state.moved = piece;
        state.hand_key -= zobrist.in_hand[index(us)][index(kind)];
        state.board_key ^= zobrist.on_board[piece.slot()][to.slot()];
        place(to, piece);
        if (may_check && attacks(piece, to, target)) checkers = Bitboard::of(to);
    } else {
        const Square from = move.from();
        const Piece piece = piece_at(from);
        const Piece after = move.promotes() ? Piece(us, promoted(piece.kind())) : piece;
        const Piece taken = piece_at(to);
        state.moved = piece;
        if (!taken.is_none()) {
            const Kind gained = unpromoted(taken.kind());
            state.captured = taken;
            lift(to, taken);
            hands_[index(us)].add(gained);
            state.hand_key += zobrist.in_hand[index(us)][index(gained)];
            state.board_key ^= zobrist.on_board[taken.slot()][to.slot()];
        }
        lift(from, piece);
        place(to, after);
        state.board_key ^= zobrist.on_board[piece.slot()][from.slot()] ^ zobrist.on_board[after.slot()][to.slot()];
        if (piece.kind() == Kind::king) kings_[index(us)] = to;
        if (may_check) {
            if (attacks(after, to, target)) checkers = Bitboard::of(to);
            // Leaving a line through the enemy king may uncover a slider behind.
            if (line_through(target, from).any()) checkers |= slider_attackers(us, target, occupied_);
        }
    }
    pass_turn(state, checkers);
}

template <slider::Method S>
void BasicPosition<S>::undo_move() {
    const State& state = states_.back();
    const Move move = state.move;
    const Square to = move.to();
    side_ = ~side_;
    --move_number_;
    const Color us = side_;
    lift(to, piece_at(to));
    if (move.is_drop()) {
        hands_[index(us)].add(move.dropped());
    } else {
        place(move.from(), state.moved);
        if (state.moved.kind() == Kind::king) kings_[index(us)] = move.from();
        if (!state.captured.is_none()) {
            place(to, state.captured);
            hands_[index(us)].remove(unpromoted(state.captured.kind()));
        }
    }
    states_.pop_back();
}

template <slider::Method S>
void BasicPosition<S>::do_null_move() {
    assert(!in_check());
    State& state = states_.emplace_back(states_.back());
    state.move = Move::none();
    state.moved = Piece();
    state.captured = Piece();
    state.plies_since_null = 0;
    pass_turn(state, Bitboard());
}

template <slider::Method S>
void BasicPosition<S>::undo_null_move() {
    side_ = ~side_;
    --move_number_;
    states_.pop_back();
}

template <slider::Method S>
Bitboard BasicPosition<S>::slider_attackers(Color by, Square s, const Occupied& occupied) const {
    const Bitboard& theirs = pieces(by);
    Bitboard found;
    // Most squares see no slider at all, even on an empty board; that test is cheaper than the attacks.
    if (const Bitboard diagonal = diagonal_sliders() & theirs; bishop_rays(s).intersects(diagonal))
        found |= S::bishop(s, occupied) & diagonal;
    if (const Bitboard straight = straight_sliders() & theirs; rook_rays(s).intersects(straight))
        found |= S::rook(s, occupied) & straight;
    if (const Bitboard lances = pieces(Kind::lance) & theirs; lance_ray(~by, s).intersects(lances))
        found |= (by == Color::white ? S::template lance<Color::black>(s, occupied)
                                     : S::template lance<Color::white>(s, occupied)) &
                 lances;
    return found;
}

template <slider::Method S>
Bitboard BasicPosition<S>::attackers(Color by, Square s, const Occupied& occupied) const {
    const Color us = ~by;
    const Bitboard steppers = (step_attacks(us, Kind::pawn, s) & pieces(Kind::pawn)) |
                              (step_attacks(us, Kind::knight, s) & pieces(Kind::knight)) |
                              (step_attacks(us, Kind::silver, s) & pieces(Kind::silver)) |
                              (gold_steps(us, s) & golds()) | (step_attacks(us, Kind::king, s) & pieces(Kind::king)) |
                              (step_attacks(us, Kind::horse, s) & pieces(Kind::horse)) |
                              (step_attacks(us, Kind::dragon, s) & pieces(Kind::dragon));
    return (steppers & pieces(by)) | slider_attackers(by, s, occupied);
}

template <slider::Method S>
Bitboard BasicPosition<S>::slider_attackers(Square s, const Occupied& occupied) const {
    Bitboard found;
    if (const Bitboard diagonal = bishop_rays(s) & diagonal_sliders(); diagonal.any())
        found |= S::bishop(s, occupied) & diagonal;
    const Bitboard lances =
        ((lance_ray(Color::white, s) & pieces(Color::black)) | (lance_ray(Color::black, s) & pieces(Color::white))) &
        pieces(Kind::lance);
    if (const Bitboard straight = (rook_rays(s) & straight_sliders()) | lances; straight.any())
        found |= S::rook(s, occupied) & straight;
    return found;
}

template <slider::Method S>
Bitboard BasicPosition<S>::attackers(Square s, const Occupied& occupied) const {
    const auto steppers = [&](Color by) {
        return ((step_attacks(~by, Kind::pawn, s) & pieces(Kind::pawn)) |
                (step_attacks(~by, Kind::knight, s) & pieces(Kind::knight)) |
                (step_attacks(~by, Kind::silver, s) & pieces(Kind::silver)) | (gold_steps(~by, s) & golds())) &
               pieces(by);
    };
    return steppers(Color::black) | steppers(Color::white) | (king_steps(s) & king_steppers()) |
           slider_attackers(s, occupied);
}

template <slider::Method S>
bool BasicPosition<S>::is_attacked(Color by, Square s, const Occupied& occupied) const {
    const Color us = ~by;
    // A horse or dragon next to the square attacks it in any direction, by step or by slide.
    const Bitboard steppers = (step_attacks(us, Kind::pawn, s) & pieces(Kind::pawn)) |
                              (step_attacks(us, Kind::knight, s) & pieces(Kind::knight)) |
                              (step_attacks(us, Kind::silver, s) & pieces(Kind::silver)) |
                              (gold_steps(us, s) & golds()) | (king_steps(s) & king_steppers());
    return steppers.intersects(pieces(by)) || slider_attackers(by, s, occupied).any();
}

template <slider::Method S>
Bitboard BasicPosition<S>::attacks_from(Piece piece, Square s, const Occupied& occupied) const {
    switch (piece.kind()) {
        case Kind::lance:
            return piece.color() == Color::black ? S::template lance<Color::black>(s, occupied)
                                                 : S::template lance<Color::white>(s, occupied);
        case Kind::bishop: return S::bishop(s, occupied);
        case Kind::rook: return S::rook(s, occupied);
        case Kind::horse: return S::bishop(s, occupied) | king_steps(s);
        case Kind::dragon: return S::rook(s, occupied) | king_steps(s);
        default: return step_attacks(piece.color(), piece.kind(), s);
    }
}

// Sliders of `by` that would attack `s` on an empty board.
template <slider::Method S>
Bitboard BasicPosition<S>::snipers(Color by, Square s) const {
    return ((bishop_rays(s) & diagonal_sliders()) | (rook_rays(s) & straight_sliders()) |
            (lance_ray(~by, s) & pieces(Kind::lance))) &
           pieces(by);
}

template <slider::Method S>
Bitboard BasicPosition<S>::blockers(Color c) const {
    Bitboard found;
    const Square k = king(c);
    if (k.is_none()) return found;
    snipers(~c, k).for_each([&](Square sniper) {
        const Bitboard shield = between(k, sniper) & occupied();
        if (shield.any() && !shield.more_than_one()) found |= shield;
    });
    return found;
}

template <slider::Method S>
Bitboard BasicPosition<S>::pinned_for(Color c) const {
    return blockers(c) & pieces(c);
}

template <slider::Method S>
bool BasicPosition<S>::gives_check(Move move) const {
    const Square target = king(~side_);
    if (target.is_none()) return false;
    const Square to = move.to();
    if (move.is_drop()) return attacks(Piece(side_, move.dropped()), to, target);
    const Square from = move.from();
    const Piece piece = piece_at(from);
    const Kind kind = move.promotes() ? promoted(piece.kind()) : piece.kind();
    // The origin becomes empty, so it never blocks the moved piece's own line.
    if (reach(side_, kind, to).has(target) && !(between(to, target) & occupied()).without(Bitboard::of(from)).any())
        return true;
    const Bitboard& line = line_through(target, from);
    if (!line.any() || line.has(to)) return false;
    Occupied after = occupied_;
    after.toggle(from);
    if (piece_at(to).is_none()) after.toggle(to);
    return slider_attackers(side_, target, after).without(Bitboard::of(from)).any();
}

template <slider::Method S>
bool BasicPosition<S>::may_be_dropped(Kind kind, Square to) const {
    if (!hand(side_).has(kind) || !piece_at(to).is_none() || dead_end[index(side_)][index(kind)].has(to)) return false;
    if (kind != Kind::pawn) return true;
    if (pieces(side_, Kind::pawn).intersects(file_set(to.file()))) return false;
    return !step_attacks(side_, Kind::pawn, to).intersects(Bitboard::of(king(~side_))) || !is_pawn_drop_mate(to);
}

template <slider::Method S>
bool BasicPosition<S>::is_pseudo_legal(Move move) const {
    if (!move.is_well_formed()) return false;
    const Square to = move.to();
    const Square own_king = king(side_);
    if (move.is_drop()) {
        if (in_check() && (checkers().more_than_one() || !between(own_king, checkers().first()).has(to))) return false;
        return may_be_dropped(move.dropped(), to);
    }
    const Square from = move.from();
    const Piece piece = piece_at(from);
    if (piece.is_none() || piece.color() != side_ || pieces(side_).has(to)) return false;
    if (move.promotes()) {
        if (!can_promote(piece.kind()) || !(from.in_promotion_zone(side_) || to.in_promotion_zone(side_))) return false;
    } else if (dead_end[index(side_)][index(piece.kind())].has(to)) {
        return false;
    }
    if (!attacks(piece, from, to)) return false;
    if (piece.kind() == Kind::king) return true;
    if (in_check()) {
        if (checkers().more_than_one()) return false;
        const Square checker = checkers().first();
        if (to != checker && !between(own_king, checker).has(to)) return false;
    }
    return !pinned().has(from) || line_through(own_king, from).has(to);
}

template <slider::Method S>
bool BasicPosition<S>::leaves_king_safe(Move move) const {
    if (move.is_drop() || piece_at(move.from()).kind() != Kind::king) return true;
    Occupied without_king = occupied_;
    without_king.toggle(move.from());
    return !is_attacked(~side_, move.to(), without_king);
}

template <slider::Method S>
bool BasicPosition<S>::is_legal(Move move) const {
    return is_pseudo_legal(move) && leaves_king_safe(move);
}

template <slider::Method S>
bool BasicPosition<S>::is_pawn_drop_mate(Square to) const {
    const Color us = side_;
    const Square target = king(~us);
    // An undefended pawn can be taken by the king.
    if (!is_attacked(us, to)) return false;
    // Can another piece take it without opening a line to the king?
    const Bitboard takers = attackers(~us, to).without(Bitboard::of(target));
    if (takers.any()) {
        const Bitboard held = pinned_for(~us);
        const Bitboard& line = line_through(target, to);
        if (takers.without(held.without(line)).any()) return false;
    }
    // Can the king step away? The pawn itself attacks only the king's square, but may shut a line of attack.
    Occupied after = occupied_;
    after.toggle(to);
    after.toggle(target);
    Bitboard flights = king_steps(target).without(pieces(~us)).without(Bitboard::of(to));
    while (flights.any())
        if (!is_attacked(us, flights.pop_first(), after)) return false;
    return true;
}

template <slider::Method S>
int BasicPosition<S>::occurrences() const {
    const State& now = state();
    int count = 1;
    const auto limit = static_cast<std::size_t>(now.plies_since_null);
    for (std::size_t back = 4; back <= limit && back <= history(); back += 2) {
        const State& then = state(back);
        if (then.board_key == now.board_key && then.mover_hand == now.mover_hand && then.hand_key == now.hand_key)
            ++count;
    }
    return count;
}

template <slider::Method S>
Repetition BasicPosition<S>::game_repetition() const {
    const State& now = state();
    const auto limit = static_cast<std::size_t>(now.plies_since_null);
    int count = 1;
    for (std::size_t back = 4; back <= limit && back <= history(); back += 2) {
        const State& then = state(back);
        if (then.board_key != now.board_key || then.mover_hand != now.mover_hand || then.hand_key != now.hand_key)
            continue;
        if (++count < 4) continue;
        const auto moves = static_cast<int>(back / 2);
        if (now.checks_in_a_row[index(~side_)] >= moves) return Repetition::win;
        if (now.checks_in_a_row[index(side_)] >= moves) return Repetition::loss;
        return Repetition::draw;
    }
    return Repetition::none;
}

template <slider::Method S>
Repetition BasicPosition<S>::search_repetition(int plies) const {
    const State& now = state();
    const auto limit = static_cast<std::size_t>(std::min(now.plies_since_null, plies));
    for (std::size_t back = 4; back <= limit && back <= history(); back += 2) {
        const State& then = state(back);
        if (then.board_key != now.board_key) continue;
        if (then.mover_hand == now.mover_hand) {
            const auto moves = static_cast<int>(back / 2);
            if (now.checks_in_a_row[index(~side_)] >= moves) return Repetition::win;
            if (now.checks_in_a_row[index(side_)] >= moves) return Repetition::loss;
            return Repetition::draw;
        }
        // With a complete set, what one side has gained the other has lost.
        if (now.mover_hand.covers(then.mover_hand)) return Repetition::superior;
        if (then.mover_hand.covers(now.mover_hand)) return Repetition::inferior;
    }
    return Repetition::none;
}

}  // namespace tsumugi::shogi
