// SPDX-License-Identifier: GPL-3.0-or-later
// Worker: the recursion of the main search.
#pragma once

#include "shogi/mate_one.hpp"

namespace tsumugi::search {

template <typename P>
template <typename Worker<P>::Node node>
Value Worker<P>::search(int ply, Value alpha, Value beta, int depth, bool cut_node) {
    using shogi::Move;
    constexpr bool is_root = node == Node::root;
    constexpr bool is_pv = node != Node::other;
    if (depth <= 0) return quiescence<is_pv>(ply, alpha, beta, 0);

    P& position = *position_;
    Ply& here = at(ply);
    Table& table = shared_.table;
    const Parameters& p = tuned();
    depth = std::min(depth, max_ply - 1);
    here.in_check = position.in_check();
    here.line_length = 0;
    at(ply + 1).excluded = Move::none();
    at(ply + 2).cutoffs = 0;
    const Move excluded = here.excluded;
    const int reduced_by = std::exchange(at(ply - 1).reduction, 0);

    // Step 1. What needs no search: the end of thinking time, the rules, the bounds of mate scores.
    if (must_stop()) return 0;
    if constexpr (is_pv) selective_depth_ = std::max(selective_depth_, ply + 1);
    if constexpr (!is_root) {
        if (const auto decided = verdict(ply)) return *decided;
        if (ply >= max_ply) return here.in_check ? draw_value() : evaluate();
        alpha = std::max(alpha, mated_in(ply));
        beta = std::min(beta, mate_in(ply + 1));
        if (alpha >= beta) return alpha;
    }

    // Step 2. What earlier searches know.
    const shogi::Key key = position.key();
    const auto known = excluded.is_none() ? table.probe(key, depth) : Knowledge();
    const Value table_value = known ? from_table(known.value, ply) : value_none;
    const Move table_move = is_root ? root_moves_[pv_index_].move : known ? known.move : Move::none();
    const bool table_capture = !table_move.is_none() && table_move.is_well_formed() && position.is_tactical(table_move);
    here.table_hit = static_cast<bool>(known);
    if (excluded.is_none()) here.table_pv = is_pv || (known && known.was_pv);
    if (!is_pv && known && table_value != value_none && known.depth > depth - (table_value <= beta) &&
        includes(known.bound, table_value >= beta ? Bound::lower : Bound::upper) &&
        (cut_node == (table_value >= beta) || depth > 5)) {
        if (!table_move.is_none() && table_value >= beta && !table_capture && position.is_pseudo_legal(table_move)) {
            const int bonus = std::min(p.bonus_slope * depth - p.bonus_offset, p.bonus_max);
            histories_
                ->butterfly[shogi::index(position.side_to_move())][origin_slot(table_move)][table_move.to().slot()]
                .update(bonus);
            update_continuations(ply, mover_slot(position, table_move), table_move.to(), bonus);
        }
        return table_value;
    }

    // Step 3. Wins at once: by declaration, or by mate.
    if constexpr (!is_root) {
        if (can_declare()) return mate_in(ply + 1);
        if (!known && excluded.is_none()) {
            if (const Move mate = shogi::mate_in_one(position); !mate.is_none()) {
                const Value value = mate_in(ply + 1);
                table.store(key, {mate, to_table(value, ply), value_none, max_ply - 1, Bound::exact, is_pv});
                return value;
            }
        }
    }

    // Step 4. Static evaluation, corrected by experience, and by the table where its bound says more.
    Value raw = value_none;
    Value evaluation = value_none;
    bool improving = false;
    bool opponent_worsening = false;
    if (!here.in_check) {
        if (!excluded.is_none()) {
            evaluation = here.evaluation;
        } else {
            raw = known && known.evaluation != value_none ? known.evaluation : evaluate();
            here.evaluation = evaluation = corrected(raw);
            if (!known) table.store(key, {Move::none(), value_none, raw, -3, Bound::upper, here.table_pv});
            if (known && table_value != value_none &&
                includes(known.bound, table_value > evaluation ? Bound::lower : Bound::upper))
                evaluation = table_value;
        }
        const Value before = at(ply - 2).evaluation != value_none ? at(ply - 2).evaluation : at(ply - 4).evaluation;
        improving = before == value_none || here.evaluation > before;
        opponent_worsening = at(ply - 1).evaluation != value_none && here.evaluation > -at(ply - 1).evaluation + 2;
        // The opponent's quiet move is as good as it left us badly off.
        if (at(ply - 1).evaluation != value_none && !at(ply - 1).move.is_none() &&
            position.state().captured.is_none() && excluded.is_none()) {
            const int bonus = std::clamp(-10 * (at(ply - 1).evaluation + here.evaluation), -1400, 1400);
            const Move last = at(ply - 1).move;
            histories_->butterfly[shogi::index(~position.side_to_move())][origin_slot(last)][last.to().slot()].update(
                bonus);
        }
    } else {
        here.evaluation = value_none;
    }

    // The move that led here was reduced: take it back when it was no mistake, go further when it was a clear one.
    if (!is_root && !here.in_check && at(ply - 1).evaluation != value_none) {
        if (reduced_by >= 3 && !opponent_worsening) ++depth;
        if (reduced_by >= 2 && depth >= 2 && here.evaluation + at(ply - 1).evaluation > p.hindsight_margin) --depth;
    }

    if (!here.in_check && !is_pv && excluded.is_none()) {
        // Step 5. Razoring: so far below alpha that only captures could help.
        if (evaluation < alpha - p.razor_base - p.razor_slope * depth * depth) {
            const Value value = quiescence<false>(ply, alpha, alpha + 1, 0);
            if (value <= alpha && !is_decisive(value)) return value;
        }
        // Step 6. Reverse futility: so far above beta that the opponent will not get back.
        const Value margin = (p.futility_margin - (cut_node && !here.table_hit ? 15 : 0)) * depth -
                             (improving ? p.futility_improving * depth / 2 : 0) -
                             (opponent_worsening ? p.futility_improving * depth / 4 : 0);
        if (!here.table_pv && depth <= p.futility_max_depth && evaluation - margin >= beta && evaluation >= beta &&
            !is_decisive(beta) && !is_decisive(evaluation) && (table_move.is_none() || table_capture))
            return (2 * beta + evaluation) / 3;
        // Step 7. Null move: if passing is good enough, a move is.
        if (cut_node && !at(ply - 1).move.is_none() && evaluation >= beta &&
            here.evaluation >= beta - p.null_margin * depth + p.null_margin_base && !is_decisive(beta) &&
            ply >= null_verification_ply_) {
            const int reduction = p.null_base + depth / p.null_depth_divisor +
                                  std::min((evaluation - beta) / p.null_eval_divisor, p.null_eval_max);
            do_null_move(ply);
            Value value = -search<Node::other>(ply + 1, -beta, -beta + 1, depth - reduction, false);
            undo_null_move();
            if (shared_.stop.load(std::memory_order_relaxed)) return 0;
            if (value >= beta && !is_decisive(value)) {
                if (null_verification_ply_ != 0 || depth < p.null_verify_depth) return value;
                // At high depth a wrong cut is costly: search once more without null moves.
                null_verification_ply_ = ply + 3 * (depth - reduction) / 4;
                const Value verified = search<Node::other>(ply, beta - 1, beta, depth - reduction, false);
                null_verification_ply_ = 0;
                if (verified >= beta) return value;
            }
        }
    }

    // Step 8. Without a table move the ordering will be poor: search less deeply now, well ordered next time.
    if ((is_pv || cut_node) && depth >= p.iir_depth && table_move.is_none() && excluded.is_none()) --depth;
    if (depth <= 0) return quiescence<is_pv>(ply, alpha, beta, 0);

    const Continuations continuation = continuations(ply);
    // Step 9. ProbCut: a capture that beats a raised beta at reduced depth will beat beta.
    const Value raised = beta + p.probcut_margin - (improving ? p.probcut_improving : 0);
    if (!is_pv && !here.in_check && excluded.is_none() && depth >= 3 && !is_decisive(beta) &&
        !(known && known.depth >= depth - 3 && table_value != value_none && table_value < raised)) {
        MovePicker<P> picker(position, table_move, typename MovePicker<P>::Probcut{raised - here.evaluation},
                             *histories_, continuation, shared_.settings.generate_all_moves);
        const int probe_depth = std::max(depth - p.probcut_depth, 0);
        for (Move move = picker.next(); !move.is_none(); move = picker.next()) {
            if (!position.leaves_king_safe(move)) continue;
            do_move(ply, move);
            Value value = -quiescence<false>(ply + 1, -raised, -raised + 1, 0);
            if (value >= raised && probe_depth > 0)
                value = -search<Node::other>(ply + 1, -raised, -raised + 1, probe_depth, !cut_node);
            undo_move();
            if (shared_.stop.load(std::memory_order_relaxed)) return 0;
            if (value < raised) continue;
            table.store(key, {move, to_table(value, ply), raw, probe_depth + 1, Bound::lower, here.table_pv});
            return is_decisive(value) ? value : value - (raised - beta);
        }
    }

    // Step 10. The moves, best first.
    MovePicker<P> picker(position, table_move, depth, *histories_, continuation, shared_.settings.generate_all_moves);
    std::size_t root_next = pv_index_;
    const auto next_move = [&]() -> Move {
        if constexpr (is_root)
            return root_next < root_moves_.size() ? root_moves_[root_next++].move : Move::none();
        else
            return picker.next();
    };
    const std::size_t pawns = pawn_structure(position) % pawn_slots;
    const Value first_alpha = alpha;
    Value best = -value_infinite;
    Move best_move;
    Tried quiets;
    Tried captures;
    int count = 0;
    bool prune_quiets = false;
    for (Move move = next_move(); !move.is_none(); move = next_move()) {
        if (move == excluded) continue;
        if (!is_root && !position.leaves_king_safe(move)) continue;
        ++count;
        const bool capture = position.is_tactical(move);
        if (prune_quiets && !capture && !is_root) continue;
        const bool gives_check = position.gives_check(move);
        const shogi::Piece piece = piece_after(position, move);
        const std::size_t mover = mover_slot(position, move);
        const std::size_t to = move.to().slot();
        int new_depth = depth - 1;
        int reduction = reduction_of(improving, depth, count, beta - alpha);
        if (here.table_pv) reduction -= 1024;

        // Step 11. Moves that are not worth playing, near the leaves.
        if (!is_root && !is_decisive(best)) {
            if (count >= (p.lmp_base + depth * depth) / (improving ? 1 : 2)) {
                prune_quiets = true;
                picker.skip_quiets();
                if (!capture && !gives_check) continue;
            }
            const int short_depth = std::max(new_depth - reduction / 1024, 0);
            if (capture) {
                const shogi::Kind taken = position.piece_at(move.to()).kind();
                const int history = histories_->capture[piece.slot()][to][shogi::index(taken)];
                if (!gives_check && short_depth < 7 && !here.in_check) {
                    const Value hope = here.evaluation + p.capture_futility_base +
                                       p.capture_futility_slope * short_depth + shogi::material_swing(position, move) +
                                       history / 8;
                    if (hope <= alpha) continue;
                }
                if (!shogi::exchange_gains(position, move, -p.capture_see_slope * depth - history / 32)) continue;
            } else if (!gives_check) {
                int history =
                    (*continuation[0])[mover][to] + (*continuation[1])[mover][to] + histories_->pawn[pawns][mover][to];
                if (short_depth < p.history_prune_depth && history < -p.history_prune_slope * depth) continue;
                history += 2 * histories_->butterfly[shogi::index(position.side_to_move())][origin_slot(move)][to];
                const int lower_depth = std::max(short_depth + history / 8192, 0);
                if (!here.in_check && lower_depth < p.quiet_futility_depth) {
                    const Value hope = here.evaluation + p.quiet_futility_base + p.quiet_futility_slope * lower_depth;
                    if (hope <= alpha) {
                        if (best <= hope && !is_decisive(best)) best = hope;
                        continue;
                    }
                }
                if (!shogi::exchange_gains(position, move, -p.quiet_see_slope * lower_depth * lower_depth)) continue;
            } else if (!shogi::exchange_gains(position, move, -p.capture_see_slope * depth)) {
                continue;
            }
        }

        // Step 12. Extensions: is the table's move the only one that holds?
        int extension = 0;
        if (!is_root && move == table_move && excluded.is_none() && known &&
            depth >= p.singular_depth + here.table_pv && table_value != value_none && !is_decisive(table_value) &&
            includes(known.bound, Bound::lower) && known.depth >= depth - 3 && ply < 2 * root_depth_) {
            const Value lowered = table_value - p.singular_margin * depth / 64;
            here.excluded = move;
            const Value value = search<Node::other>(ply, lowered - 1, lowered, new_depth / 2, cut_node);
            here.excluded = Move::none();
            if (shared_.stop.load(std::memory_order_relaxed)) return 0;
            if (value < lowered) {
                extension = 1;
                if (!is_pv && value < lowered - p.double_margin) extension = 2;
                if (!is_pv && !table_capture && value < lowered - p.triple_margin) extension = 3;
                if (!is_pv && depth < 14) ++depth;
            } else if (value >= beta && !is_decisive(value)) {
                return value;  // several moves beat beta
            } else if (table_value >= beta) {
                extension = -3;
            } else if (cut_node) {
                extension = -2;
            }
        } else if (gives_check && is_pv && depth < 9 && shogi::exchange_gains(position, move, 0)) {
            extension = 1;
        }
        new_depth += extension;

        const std::uint64_t nodes_before = is_root ? nodes() : 0;
        int history = 0;
        if (!capture)
            history = 2 * histories_->butterfly[shogi::index(position.side_to_move())][origin_slot(move)][to] +
                      (*continuation[0])[mover][to] + (*continuation[1])[mover][to] - 3000;
        else
            history = 3 * shogi::material_swing(position, move) +
                      histories_->capture[piece.slot()][to][shogi::index(position.piece_at(move.to()).kind())] - 3500;
        do_move(ply, move);

        // Step 13. Late moves are searched less deeply first, with a window that only asks whether they are better.
        Value value = 0;
        if (depth >= 2 && count > 1 + is_root) {
            if (cut_node) reduction += 1800 + (table_move.is_none() ? 900 : 0);
            if (table_capture && !capture) reduction += 1024;
            if (at(ply + 1).cutoffs > 2) reduction += 1024;
            if (gives_check) reduction -= 700;
            if (move == table_move) reduction -= 2048;
            reduction -= history * 1024 / p.lmr_history;
            const int reduced = std::max(1, std::min(new_depth - reduction / 1024, new_depth + (is_pv ? 2 : 1)));
            here.reduction = new_depth - reduced;
            value = -search<Node::other>(ply + 1, -alpha - 1, -alpha, reduced, true);
            here.reduction = 0;
            if (value > alpha && reduced < new_depth) {
                // The move surprised: look at it in full, a ply deeper or less by how much it did.
                if (value > best + p.lmr_deeper) ++new_depth;
                if (value < best + p.lmr_shallower) --new_depth;
                if (new_depth > reduced)
                    value = -search<Node::other>(ply + 1, -alpha - 1, -alpha, new_depth, !cut_node);
                if (!capture) update_continuations(ply, mover, move.to(), value >= beta ? p.bonus_max : 0);
            }
        } else if (!is_pv || count > 1) {
            if (table_move.is_none()) reduction += 1024;
            value = -search<Node::other>(ply + 1, -alpha - 1, -alpha, new_depth - (reduction > 3500), !cut_node);
        }
        // Step 14. The first move, and moves that proved better, with the whole window.
        if constexpr (is_pv) {
            if (count == 1 || value > alpha) value = -search<Node::pv>(ply + 1, -beta, -alpha, new_depth, false);
        }
        undo_move();
        if (shared_.stop.load(std::memory_order_relaxed)) return 0;

        // Step 15. A new best move?
        if constexpr (is_root) note_root_result(move, value, alpha, beta, count, nodes() - nodes_before);
        if (value > best) {
            best = value;
            if (value > alpha) {
                best_move = move;
                if constexpr (is_pv && !is_root) note_line(ply, move);
                if (value >= beta) {
                    here.cutoffs += 1 + (extension < 2);
                    break;
                }
                // With one good move found, the others need less depth to be refuted.
                if (depth > 2 && depth < 14 && !is_decisive(value)) depth -= 1;
                alpha = value;
            }
        }
        if (move != best_move) (capture ? captures : quiets).add(move);
    }

    // Step 16. No move at all: mate (in shogi, stalemate loses as well).
    if (count == 0) return excluded.is_none() ? mated_in(ply) : alpha;
    if (best >= beta && !is_decisive(best) && !is_decisive(alpha)) best = (best * depth + beta) / (depth + 1);

    if (!best_move.is_none()) {
        update_histories(ply, best_move, depth, quiets, captures);
    } else if (!at(ply - 1).move.is_none() && position.state().captured.is_none()) {
        // Everything failed: the opponent's quiet move was good.
        const int bonus = std::min(p.bonus_slope * depth - p.bonus_offset, p.bonus_max) * (depth > 5 ? 2 : 1);
        const Ply& last = at(ply - 1);
        update_continuations(ply - 1, last.mover, last.move.to(), bonus);
        histories_->butterfly[shogi::index(~position.side_to_move())][origin_slot(last.move)][last.move.to().slot()]
            .update(bonus / 2);
    }
    if (best <= first_alpha) here.table_pv = here.table_pv || (at(ply - 1).table_pv && depth > 3);

    // Step 17. Remember.
    if (excluded.is_none() && !(is_root && pv_index_ > 0)) {
        const Bound bound = best >= beta ? Bound::lower : is_pv && !best_move.is_none() ? Bound::exact : Bound::upper;
        table.store(key, {best_move, to_table(best, ply), raw, depth, bound, here.table_pv});
    }
    if (!here.in_check && excluded.is_none() && (best_move.is_none() || !position.is_tactical(best_move)) &&
        !is_decisive(best) && (best > here.evaluation) == !best_move.is_none())
        learn_correction(depth, here.evaluation, best);
    return best;
}

}  // namespace tsumugi::search
