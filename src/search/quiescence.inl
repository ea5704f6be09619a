// SPDX-License-Identifier: GPL-3.0-or-later
// Worker: search of captures, checks or whatever the policy wants until the position is quiet.
#pragma once

namespace tsumugi::search {

template <typename P>
void Worker<P>::choose_quiescence(QuiescencePolicy name) {
    // The other slider methods serve comparisons of speed only: one policy is enough for them.
    if constexpr (std::is_same_v<P, shogi::Position>) {
        with_policy(name, [this]<typename Policy>() {
            quiescence_ = {&Worker::quiescence_by<false, Policy>, &Worker::quiescence_by<true, Policy>};
        });
    } else {
        quiescence_ = {&Worker::quiescence_by<false, policy::Standard>, &Worker::quiescence_by<true, policy::Standard>};
    }
}

template <typename P>
template <typename Policy>
MovePicker<P> Worker<P>::quiescence_picker(const shogi::CheckView<P>& checks, shogi::Move table_move, int depth,
                                           const Continuations& continuation) const {
    const bool all_moves = shared_.settings.generate_all_moves;
    if constexpr (!std::is_same_v<Policy, policy::Standard>) {
        if (Policy::quiet_moves && depth > -tuned().qs_policy_depth)
            return MovePicker<P>(*position_, checks, table_move, *histories_, continuation, all_moves);
        return MovePicker<P>(*position_, checks, table_move, typename MovePicker<P>::Quiescence{false}, *histories_,
                             continuation, all_moves);
    }
    return MovePicker<P>(*position_, checks, table_move,
                         typename MovePicker<P>::Quiescence{depth > -tuned().qs_quiet_checks}, *histories_,
                         continuation, all_moves);
}

// Leaves out captures that cannot lift the score to alpha even if they are for nothing, and moves that lose material.
template <typename P>
bool Worker<P>::hopeless_in_quiescence(shogi::Move move, bool judge_gain, int count, Value futility, Value alpha,
                                       Value& best) const {
    const P& position = *position_;
    if (judge_gain) {
        if (count > tuned().qs_captures) return true;
        const Value gained = futility + shogi::material_swing(position, move);
        if (gained <= alpha) {
            best = std::max(best, gained);
            return true;
        }
        if (futility <= alpha && !shogi::exchange_gains(position, move, 1)) {
            best = std::max(best, futility);
            return true;
        }
    }
    return !shogi::exchange_gains(position, move, tuned().qs_see);
}

// What a policy wants to know of the position before it is asked about moves.
template <typename P>
template <typename Policy>
policy::Scene Worker<P>::scene_for(int ply) {
    policy::Scene scene;
    if constexpr (Policy::judges_threats) {
        // All the positions two plies after a move share the answer: the first of them finds it.
        std::optional<bool>& threatens = at(ply - 2).threatens;
        if (!threatens) threatens = threatmate::threatened(*position_);
        scene.threatened = *threatens;
    }
    if constexpr (Policy::ranks_moves) scene.moves = shogi::count_legal_moves(*position_);
    return scene;
}

template <typename P>
template <bool is_pv, typename Policy>
Value Worker<P>::quiescence_by(int ply, Value alpha, Value beta, int depth) {
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
    const std::uint32_t effort_before = effort();
    const auto known = shared_.table.probe(key, table_depth);
    const Value table_value = known ? from_table(known.value, ply) : value_none;
    const bool was_pv = known && known.was_pv;
    if (!is_pv && known && known.depth >= table_depth && table_value != value_none &&
        includes(known.bound, table_value >= beta ? Bound::lower : Bound::upper)) {
        credited_ += known.size;
        return table_value;
    }

    if (can_declare()) return mate_in(ply + 1);
    const shogi::CheckView<P> checks(position);
    if (!known && !shogi::mate_in_one(position, checks).is_none()) return mate_in(ply + 1);

    Value best = -value_infinite;
    Value raw = value_none;
    Value futility = -value_infinite;
    if (!here.in_check) {
        raw = known && known.evaluation != value_none ? known.evaluation : evaluate();
        best = here.evaluation = corrected(raw, ply);
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
    MovePicker<P> picker = quiescence_picker<Policy>(checks, known ? known.move : Move::none(), depth, continuation);
    const shogi::Square recapture = at(ply - 1).move.is_none() ? shogi::Square::none() : at(ply - 1).move.to();
    Move best_move;
    int count = 0;
    int quiet_evasions = 0;
    [[maybe_unused]] policy::Scene scene;
    if constexpr (!std::is_same_v<Policy, policy::Standard>)
        if (!here.in_check) scene = scene_for<Policy>(ply);
    for (Move move = picker.next(); !move.is_none(); move = picker.next()) {
        if (!position.leaves_king_safe(move)) continue;
        ++count;
        if (here.in_check) {
            // Two quiet evasions are enough to know that there is one.
            if (best > -value_eval_limit && !position.is_tactical(move) && ++quiet_evasions > 2) break;
        } else if constexpr (std::is_same_v<Policy, policy::Standard>) {
            const bool judge_gain = move.to() != recapture && position.is_tactical(move) && !checks.gives_check(move);
            if (best > -value_eval_limit && hopeless_in_quiescence(move, judge_gain, count, futility, alpha, best))
                continue;
        } else {
            scene.rank = count;
            // Beyond its depth a policy's captures must win material, or it would never come to an end.
            if (depth <= -p.qs_policy_depth && !policy::See::admits(position, move, scene)) continue;
            if (!Policy::admits(position, move, scene)) continue;
        }
        do_move(ply, move, checks.gives_check(move));
        const Value value = -quiescence_by<is_pv, Policy>(ply + 1, -beta, -alpha, depth - 1);
        undo_move();
        if (stopped()) return 0;
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
    shared_.table.store(key, {best_move, to_table(best, ply), raw, table_depth,
                              best >= beta ? Bound::lower : Bound::upper, was_pv, size_since(effort_before)});
    return best;
}

}  // namespace tsumugi::search
