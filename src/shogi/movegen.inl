// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tsumugi::shogi {
namespace detail {

// Squares of files that hold none of the given pawns (at most one a file). In the nine bits of a file, taking
// a pawn from the bottom bit of rank 9 clears that bit, whatever the pawn's rank; the bit that survives is spread
// back over the file by subtracting its own top.
constexpr Bitboard files_without(const Bitboard& pawns) {
    constexpr Bitboard bottom = rank_set(9);
    const auto spread = [](std::uint64_t word_bottom, std::uint64_t word_pawns) {
        const std::uint64_t free = (word_bottom - word_pawns) & word_bottom;
        return free | (free - (free >> 8));
    };
    return {spread(bottom.low(), pawns.low()), spread(bottom.high(), pawns.high())};
}
static_assert(files_without(Bitboard(Square::at(3, 9)) | Bitboard(Square::at(8, 1))) ==
              (Bitboard::all() ^ file_set(3) ^ file_set(8)));

// One generator run: the position, where moves go, and the squares they may reach.
template <Color Us, Promotion promotion, typename P, typename Sink>
class Generation {
public:
    using S = typename P::Slider;

    Generation(const P& position, Sink& sink) : p_(position), sink_(sink), king_(position.king(Us)) {}

    void board_moves(const Bitboard& targets) {
        pawns(targets);
        pieces_of<Kind::lance>(targets);
        pieces_of<Kind::knight>(targets);
        pieces_of<Kind::silver>(targets);
        pieces_of<Kind::bishop>(targets);
        pieces_of<Kind::rook>(targets);
        pieces_of<Kind::horse>(targets);
        pieces_of<Kind::dragon>(targets);
        (p_.golds() & p_.pieces(Us)).for_each([&](Square from) {
            emit(from, gold_steps(Us, from) & allowed(from, targets));
        });
    }

    // King steps without a look at attacks.
    void king_moves(const Bitboard& targets) {
        if (!king_.is_none()) emit(king_, king_steps(king_) & targets);
    }

    void safe_king_moves(const Bitboard& targets) {
        if (king_.is_none()) return;
        Bitboard candidates = king_steps(king_) & targets;
        Bitboard safe = candidates;
        typename P::Occupied without_king = p_.occupancy();
        without_king.toggle(king_);
        candidates.for_each([&](Square s) {
            if (p_.is_attacked(~Us, s, without_king)) safe ^= Bitboard::of(s);
        });
        emit(king_, safe);
    }

    void drops(const Bitboard& targets) {
        const Hand hand = p_.hand(Us);
        if (hand.empty()) return;
        constexpr const auto& dead = dead_end[index(Us)];
        if (hand.has(Kind::pawn)) {
            Bitboard to = (targets & files_without(p_.pieces(Us, Kind::pawn))).without(dead[index(Kind::pawn)]);
            if (const Square target = p_.king(~Us); !target.is_none()) {
                const Bitboard head = to & step_attacks(~Us, Kind::pawn, target);
                if (head.any() && p_.is_pawn_drop_mate(head.first())) to ^= head;
            }
            emit_drops(Kind::pawn, to);
        }
        if (!hand.has_other_than_pawn()) return;
        if (hand.has(Kind::lance)) emit_drops(Kind::lance, targets.without(dead[index(Kind::lance)]));
        if (hand.has(Kind::knight)) emit_drops(Kind::knight, targets.without(dead[index(Kind::knight)]));
        if (hand.has(Kind::silver)) emit_drops(Kind::silver, targets);
        if (hand.has(Kind::gold)) emit_drops(Kind::gold, targets);
        if (hand.has(Kind::bishop)) emit_drops(Kind::bishop, targets);
        if (hand.has(Kind::rook)) emit_drops(Kind::rook, targets);
    }

private:
    static constexpr Bitboard zone = promotion_zone[index(Us)];

    void emit(Square from, const Bitboard& to) { sink_.moves(from, to); }
    void emit_drops(Kind kind, const Bitboard& to) { sink_.drops(kind, to); }

    // Targets a piece may go to without exposing its king.
    [[nodiscard]] Bitboard allowed(Square from, const Bitboard& targets) const {
        return p_.pinned().has(from) ? targets & line_through(king_, from) : targets;
    }

    void pawns(const Bitboard& targets) {
        const Bitboard all = p_.pieces(Us, Kind::pawn);
        const Bitboard pinned = all & p_.pinned();
        Bitboard to = all.without(pinned).template forward<Us>() & targets;
        // A pinned pawn moves only along its file, towards the pinning piece or its king.
        pinned.for_each([&](Square from) {
            to |= Bitboard::of(from).template forward<Us>() & targets & line_through(king_, from);
        });
        sink_.template pawn_moves<Us>(to & zone, true);
        if constexpr (promotion == Promotion::all)
            sink_.template pawn_moves<Us>(to.without(dead_end[index(Us)][index(Kind::pawn)]), false);
        else
            sink_.template pawn_moves<Us>(to.without(zone), false);
    }

    template <Kind kind>
    [[nodiscard]] Bitboard reached(Square from) const {
        if constexpr (kind == Kind::lance) return S::template lance<Us>(from, p_.occupancy());
        if constexpr (kind == Kind::bishop) return S::bishop(from, p_.occupancy());
        if constexpr (kind == Kind::rook) return S::rook(from, p_.occupancy());
        if constexpr (kind == Kind::horse) return S::bishop(from, p_.occupancy()) | step_attacks(Us, kind, from);
        if constexpr (kind == Kind::dragon) return S::rook(from, p_.occupancy()) | step_attacks(Us, kind, from);
        return step_attacks(Us, kind, from);
    }

    template <Kind kind>
    void pieces_of(const Bitboard& targets) {
        p_.pieces(Us, kind).for_each([&](Square from) {
            const Bitboard to = reached<kind>(from) & allowed(from, targets);
            if constexpr (!can_promote(kind)) {
                emit(from, to);
            } else {
                const Bitboard promoting = zone.has(from) ? to : to & zone;
                sink_.promotions(from, promoting);
                emit(from, to.without(not_worth_staying<kind>(promoting)));
            }
        });
    }

    // Where a piece of this kind does not move unpromoted, given where it could promote.
    template <Kind kind>
    [[nodiscard]] static constexpr Bitboard not_worth_staying(const Bitboard& promoting) {
        constexpr Bitboard dead = dead_end[index(Us)][index(kind)];
        if constexpr (promotion == Promotion::all) return dead;
        if constexpr (kind == Kind::bishop || kind == Kind::rook) return promoting;
        if constexpr (kind == Kind::lance) return dead | rank_set(2, Us);
        return dead;
    }

    const P& p_;
    Sink& sink_;
    Square king_;
};

template <Color Us, MoveSet set, Promotion promotion, typename P, typename Sink>
void generate_for(const P& p, Sink& sink) {
    Generation<Us, promotion, P, Sink> g(p, sink);
    const Bitboard& ours = p.pieces(Us);
    const Bitboard& theirs = p.pieces(~Us);
    if constexpr (set == MoveSet::captures) {
        g.board_moves(theirs);
        g.king_moves(theirs);
    } else if constexpr (set == MoveSet::quiets) {
        const Bitboard empty = ~p.occupied();
        g.board_moves(empty);
        g.king_moves(empty);
    } else if constexpr (set == MoveSet::drops) {
        g.drops(~p.occupied());
    } else {
        constexpr bool fully = set == MoveSet::legal;
        if constexpr (fully)
            g.safe_king_moves(~ours);
        else
            g.king_moves(~ours);
        if (!p.in_check()) {
            g.board_moves(~ours);
            g.drops(~p.occupied());
        } else if (!p.checkers().more_than_one()) {
            const Bitboard shield = between(p.king(Us), p.checkers().first());
            g.board_moves(shield | p.checkers());
            g.drops(shield);
        }
    }
}

}  // namespace detail

template <MoveSet set, Promotion promotion, typename P, typename Sink>
void generate(const P& position, Sink& sink) {
    if (position.side_to_move() == Color::black)
        detail::generate_for<Color::black, set, promotion>(position, sink);
    else
        detail::generate_for<Color::white, set, promotion>(position, sink);
}

template <typename P>
bool has_legal_move(const P& position) {
    return count_legal_moves(position) > 0;
}

template <typename P>
void generate_checks(const P& position, MoveList& list) {
    MoveList all;
    legal_moves(position, all);
    for (const Move move : all)
        if (position.gives_check(move)) list.add(move);
}

}  // namespace tsumugi::shogi
