// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/check_view.hpp"
#include "shogi/position.hpp"

namespace tsumugi::shogi {

// Which moves a generator produces. Pins and checks are always respected; in every set but `legal`, king steps are
// not yet tested for attacks (Position::leaves_king_safe does it), because a search often never plays them.
enum class MoveSet {
    tactical,  // captures and promotions of pawns, of a position not in check
    quiets,    // the other board moves, of a position not in check
    drops,     // of a position not in check
    evasions,  // of a position in check
    legal,     // everything, fully tested
};

// Bishop, rook and pawn have nothing to lose by promoting (nor has a lance on the second rank), except where a
// weaker piece is wanted on purpose, to avoid a pawn-drop mate. A search may leave those moves out.
enum class Promotion { sensible, all };

// Hands every generated move to the sink in sets: a generator that is only asked how many moves there are need
// not look at each. See ListSink and CountSink.
template <MoveSet set, Promotion promotion, typename P, typename Sink>
void generate(const P& position, Sink& sink);

// The legal moves that give check, with both promotions: what a mate search plays.
template <typename P, typename Sink>
void generate_checks(const P& position, const CheckView<P>& view, Sink& sink);
template <typename P, typename Sink>
void generate_checks(const P& position, Sink& sink) {
    generate_checks(position, CheckView<P>(position), sink);
}

// Appends to a list.
class ListSink {
public:
    explicit ListSink(MoveList& list) : list_(list) {}

    void moves(Square from, const Bitboard& to) {
        to.for_each([&](Square s) { list_.add(Move::board(from, s)); });
    }
    void promotions(Square from, const Bitboard& to) {
        to.for_each([&](Square s) { list_.add(Move::board(from, s, true)); });
    }
    // Pawns move together: each destination has its origin one step behind.
    template <Color Us>
    void pawn_moves(const Bitboard& to, bool promotes) {
        to.for_each([&](Square s) {
            list_.add(Move::board(Square::from_index(s.index() + (Us == Color::black ? 1 : -1)), s, promotes));
        });
    }
    void drops(Kind kind, const Bitboard& to) {
        to.for_each([&](Square s) { list_.add(Move::drop(kind, s)); });
    }

private:
    MoveList& list_;
};

// Counts without looking at single moves.
class CountSink {
public:
    void moves(Square, const Bitboard& to) { count_ += to.count(); }
    void promotions(Square, const Bitboard& to) { count_ += to.count(); }
    template <Color>
    void pawn_moves(const Bitboard& to, bool) {
        count_ += to.count();
    }
    void drops(Kind, const Bitboard& to) { count_ += to.count(); }
    [[nodiscard]] int count() const { return count_; }

private:
    int count_ = 0;
};

template <typename P>
void legal_moves(const P& position, MoveList& list, Promotion promotion = Promotion::all) {
    ListSink sink(list);
    if (promotion == Promotion::all)
        generate<MoveSet::legal, Promotion::all>(position, sink);
    else
        generate<MoveSet::legal, Promotion::sensible>(position, sink);
}

template <typename P>
int count_legal_moves(const P& position) {
    CountSink sink;
    generate<MoveSet::legal, Promotion::all>(position, sink);
    return sink.count();
}

template <typename P>
bool has_legal_move(const P& position) {
    return count_legal_moves(position) > 0;
}

template <typename P>
void checking_moves(const P& position, MoveList& list) {
    ListSink sink(list);
    generate_checks(position, sink);
}

}  // namespace tsumugi::shogi

#include "shogi/movegen.inl"  // IWYU pragma: keep
