// SPDX-License-Identifier: GPL-3.0-or-later
// Worker: search of captures (and checks) until the position is quiet.
#pragma once

namespace tsumugi::search {

template <typename P>
template <bool is_pv>
Value Worker<P>::quiescence(int ply, Value alpha, Value beta, int depth) {
    using shogi::Move;
    P& position = *position_;
    Ply& here = at(ply);
    const Parameters& p = tuned();
    here.line_length = 0;
    here.in_check = position.in_check();
    if constexpr (is_pv) selective_depth_ = std::max(selective_depth_, ply + 1);

    if (must_stop()) return 0;
    if (const auto decided = verdict(ply)) return *decided;
    if (ply >= max_ply) return here.in_check ? draw_value() : evaluate();
    alpha = std::max(alpha, mated_in(ply));
    beta = std::min(beta, mate_in(ply + 1));
    if (alpha >= beta) return alpha;

    // What the table knows. Entries of quiescence carry depth 0 with checks, -1 without.
    const int table_depth = here.in_check || depth >= 0 ? 0 : -1;
    const shogi::Key key = position.key();
    const auto known = shared_.table.probe(key, table_depth);
    const Value table_value = known ? from_table(known.value, ply) : value_none;
    const bool was_pv = known && known.was_pv;
    if (!is_pv && known && known.depth >= table_depth && table_value != value_none &&
        includes(known.bound, table_value >= beta ? Bound::lower : Bound::upper))
        return table_value;

    if (can_declare()) return mate_in(ply + 1);
    if (!known) {
        if (!shogi::mate_in_one(position).is_none()) return mate_in(ply + 1);
    }

    Value best = -value_infinite;
    Value raw = value_none;
    Value futility = -value_infinite;
    if (!here.in_check) {
        raw = known && known.evaluation != value_none ? known.evaluation : evaluate();
        best = here.evaluation = corrected(raw);
        if (known && table_value != value_none && !is_decisive(table_value) &&
            includes(known.bound, table_value > best ? Bound::lower : Bound::upper))
            best = table_value;
        if (best >= beta) {
            if (!known) shared_.table.store(key, {Move::none(), to_table(best, ply), raw, -2, Bound::lower, false});
            return best;
        }
        alpha = std::max(alpha, best);
        futility = here.evaluation + p.qs_futility;
    } else {
        here.evaluation = value_none;
    }

    const Continuations continuation = continuations(ply);
    const Move table_move = known ? known.move : Move::none();
    MovePicker<P> picker(position, table_move, typename MovePicker<P>::Quiescence{depth > -p.qs_quiet_checks},
                         *histories_, continuation, shared_.settings.generate_all_moves);
    const shogi::Square recapture = at(ply - 1).move.is_none() ? shogi::Square::none() : at(ply - 1).move.to();
    Move best_move;
    int count = 0;
    int quiet_evasions = 0;
    for (Move move = picker.next(); !move.is_none(); move = picker.next()) {
        if (!position.leaves_king_safe(move)) continue;
        ++count;
        const bool gives_check = position.gives_check(move);
        const bool capture = position.is_tactical(move);
        if (best > -value_eval_limit) {
            if (!here.in_check && !gives_check && move.to() != recapture && capture) {
                // Captures that cannot lift the score to alpha even if they are for nothing.
                if (count > 3) continue;
                const Value gained = futility + shogi::material_swing(position, move);
                if (gained <= alpha) {
                    best = std::max(best, gained);
                    continue;
                }
                if (futility <= alpha && !shogi::exchange_gains(position, move, 1)) {
                    best = std::max(best, futility);
                    continue;
                }
            }
            // One quiet evasion is enough to know that there is one.
            if (here.in_check && !capture && ++quiet_evasions > 2) break;
            if (!here.in_check && !shogi::exchange_gains(position, move, p.qs_see)) continue;
        }
        do_move(ply, move);
        const Value value = -quiescence<is_pv>(ply + 1, -beta, -alpha, depth - 1);
        undo_move();
        if (shared_.stop.load(std::memory_order_relaxed)) return 0;
        if (value <= best) continue;
        best = value;
        if (value <= alpha) continue;
        best_move = move;
        if constexpr (is_pv) note_line(ply, move);
        if (value >= beta) break;
        alpha = value;
    }
    if (here.in_check && count == 0) return mated_in(ply);
    if (!is_decisive(best) && best > beta) best = (best + beta) / 2;
    shared_.table.store(
        key, {best_move, to_table(best, ply), raw, table_depth, best >= beta ? Bound::lower : Bound::upper, was_pv});
    return best;
}

}  // namespace tsumugi::search
