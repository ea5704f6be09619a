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

    void board_moves(const Bitboard& targets) { board_moves(targets, targets, targets); }

    // Pawns have targets of their own: where they promote, and where they stay pawns.
    void board_moves(const Bitboard& targets, const Bitboard& pawn_promotions, const Bitboard& pawn_steps) {
        pawns(pawn_promotions, pawn_steps);
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

    void pawns(const Bitboard& promotions, const Bitboard& steps) {
        const Bitboard all = p_.pieces(Us, Kind::pawn);
        const Bitboard pinned = all & p_.pinned();
        Bitboard to = all.without(pinned).template forward<Us>();
        // A pinned pawn moves only along its file, towards the pinning piece or its king.
        pinned.for_each(
            [&](Square from) { to |= Bitboard::of(from).template forward<Us>() & line_through(king_, from); });
        sink_.template pawn_moves<Us>(to & promotions & zone, true);
        if constexpr (promotion == Promotion::all)
            sink_.template pawn_moves<Us>((to & steps).without(dead_end[index(Us)][index(Kind::pawn)]), false);
        else
            sink_.template pawn_moves<Us>((to & steps).without(zone), false);
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
    if constexpr (set == MoveSet::tactical) {
        g.board_moves(theirs, ~ours, theirs);
        g.king_moves(theirs);
    } else if constexpr (set == MoveSet::quiets) {
        const Bitboard empty = ~p.occupied();
        g.board_moves(empty, Bitboard(), empty);
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

// Moves that give check, directly or by uncovering a slider.
template <Color Us, typename P, typename Sink>
class CheckGeneration {
public:
    CheckGeneration(const P& position, const CheckView<P>& view, Sink& sink)
        : p_(position), view_(view), sink_(sink), own_king_(position.king(Us)), target_(position.king(~Us)) {}

    void run() {
        king_moves();
        if (p_.checkers().more_than_one()) return;
        const Bitboard shield = p_.in_check() ? between(own_king_, p_.checkers().first()) : ~p_.occupied();
        const Bitboard targets = p_.in_check() ? shield | p_.checkers() : ~p_.pieces(Us);
        candidates().for_each([&](Square from) { piece_moves(from, targets); });
        DropSink drops(*this);
        Generation<Us, Promotion::all, P, DropSink>(p_, drops).drops(shield);
    }

private:
    // Lets through the drops that give check.
    struct DropSink {
        explicit DropSink(CheckGeneration& g) : generation(g) {}
        void drops(Kind kind, const Bitboard& to) { generation.sink_.drops(kind, to & generation.view_.from(kind)); }
        void moves(Square, const Bitboard&) {}
        CheckGeneration& generation;
    };

    // Our pieces, other than the king, that could check if nothing stood in their way, and those that uncover a check.
    [[nodiscard]] Bitboard candidates() const {
        Bitboard set = p_.golds() & check_origins(Us, Kind::gold, target_);
        for (const Kind kind :
             {Kind::pawn, Kind::lance, Kind::knight, Kind::silver, Kind::bishop, Kind::rook, Kind::horse, Kind::dragon})
            set |= p_.pieces(kind) & check_origins(Us, kind, target_);
        return ((set & p_.pieces(Us)) | view_.uncovering()).without(Bitboard::of(own_king_));
    }

    void piece_moves(Square from, const Bitboard& targets) {
        const Piece piece = p_.piece_at(from);
        const Kind kind = piece.kind();
        const Bitboard uncovered = view_.uncovering().has(from) ? ~line_through(target_, from) : Bitboard();
        const Bitboard plain_checks = view_.from(kind) | uncovered;
        const Bitboard promoted_checks = can_promote(kind) ? view_.from(promoted(kind)) | uncovered : Bitboard();
        // What stands in the way of a slider spoils most of its checks: see that before computing what it reaches.
        if (!reach(Us, kind, from).intersects(plain_checks | promoted_checks)) return;
        Bitboard to = p_.attacks_from(piece, from, p_.occupancy()) & targets;
        if (p_.pinned().has(from)) to &= line_through(own_king_, from);
        sink_.moves(from, (to & plain_checks).without(dead_end[index(Us)][index(kind)]));
        if (can_promote(kind)) {
            const Bitboard& zone = promotion_zone[index(Us)];
            sink_.promotions(from, to & promoted_checks & (zone.has(from) ? Bitboard::all() : zone));
        }
    }

    void king_moves() {
        if (own_king_.is_none() || !view_.uncovering().has(own_king_)) return;
        Bitboard to = king_steps(own_king_).without(p_.pieces(Us)).without(line_through(target_, own_king_));
        typename P::Occupied without_king = p_.occupancy();
        without_king.toggle(own_king_);
        Bitboard safe = to;
        to.for_each([&](Square s) {
            if (p_.is_attacked(~Us, s, without_king)) safe ^= Bitboard::of(s);
        });
        sink_.moves(own_king_, safe);
    }

    const P& p_;
    const CheckView<P>& view_;
    Sink& sink_;
    Square own_king_;
    Square target_;
};

}  // namespace detail

template <MoveSet set, Promotion promotion, typename P, typename Sink>
void generate(const P& position, Sink& sink) {
    if (position.side_to_move() == Color::black)
        detail::generate_for<Color::black, set, promotion>(position, sink);
    else
        detail::generate_for<Color::white, set, promotion>(position, sink);
}

template <typename P, typename Sink>
void generate_checks(const P& position, const CheckView<P>& view, Sink& sink) {
    if (position.king(~position.side_to_move()).is_none()) return;
    if (position.side_to_move() == Color::black)
        detail::CheckGeneration<Color::black, P, Sink>(position, view, sink).run();
    else
        detail::CheckGeneration<Color::white, P, Sink>(position, view, sink).run();
}

}  // namespace tsumugi::shogi
