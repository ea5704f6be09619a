// SPDX-License-Identifier: GPL-3.0-or-later
// Worker: the recursion of the main search. search() is the course of events; its steps follow in their order.
#pragma once

#include "shogi/mate_three.hpp"

namespace tsumugi::search {

template <typename P>
template <typename Worker<P>::Node node>
Value Worker<P>::search(int ply, Value alpha, Value beta, int depth, bool cut_node) {
    using shogi::Move;
    constexpr bool is_root = node == Node::root;
    constexpr bool is_pv = node != Node::other;
    if (depth <= 0) return quiescence<is_pv>(ply, alpha, beta, 0);

    Ply& here = at(ply);
    here.in_check = position_->in_check();
    here.line_length = 0;
    at(ply + 1).excluded = Move::none();
    at(ply + 2).cutoffs = 0;
    const int reduced_by = std::exchange(at(ply - 1).reduction, 0);

    Frame frame{ply, alpha, beta, std::min(depth, max_ply - 1), cut_node};
    frame.effort_before = effort();
    if (must_stop()) return 0;
    if constexpr (is_pv) selective_depth_ = std::max(selective_depth_, ply + 1);
    if (const auto value = decide_by_rules<node>(frame)) return *value;
    if (const auto value = ask_table<node>(frame)) return *value;
    if (const auto value = win_at_once<node>(frame)) return *value;
    assess(frame);
    if (!is_root && !here.in_check && at(ply - 1).evaluation != value_none) {
        // The move that led here was reduced: take it back when it was no mistake, go further when it was a clear one.
        if (reduced_by >= 3 && !frame.opponent_worsening) ++frame.depth;
        if (reduced_by >= 2 && frame.depth >= 2 && here.evaluation + at(ply - 1).evaluation > tuned().hindsight_margin)
            --frame.depth;
    }
    if constexpr (!is_pv) {
        if (!here.in_check && here.excluded.is_none())
            if (const auto value = cut_without_moves(frame)) return *value;
    }
    if (!here.in_check && here.evaluation >= frame.beta - tuned().improving_margin) frame.improving = true;
    // Without a table move the ordering will be poor: search less deeply now, well ordered next time.
    if ((is_pv || cut_node) && frame.depth >= tuned().iir_depth && frame.table_move.is_none() &&
        here.excluded.is_none())
        --frame.depth;
    if (frame.depth <= 0) return quiescence<is_pv>(ply, frame.alpha, frame.beta, 0);
    const Continuations continuation = continuations(ply);
    if constexpr (!is_pv) {
        if (!here.in_check && here.excluded.is_none())
            if (const auto value = cut_by_capture(frame, continuation)) return *value;
    }
    return search_moves<node>(frame, continuation);
}

// What needs no search: repetition and the like, and the bounds of mate scores.
template <typename P>
template <typename Worker<P>::Node node>
std::optional<Value> Worker<P>::decide_by_rules(Frame& frame) {
    if constexpr (node == Node::root) return std::nullopt;
    if (const auto decided = verdict(frame.ply)) return *decided;
    if (frame.ply >= max_ply) return at(frame.ply).in_check ? draw_value() : evaluate();
    frame.alpha = std::max(frame.alpha, mated_in(frame.ply));
    frame.beta = std::min(frame.beta, mate_in(frame.ply + 1));
    if (frame.alpha >= frame.beta) return frame.alpha;
    return std::nullopt;
}

// What earlier searches know.
template <typename P>
template <typename Worker<P>::Node node>
std::optional<Value> Worker<P>::ask_table(Frame& frame) {
    using shogi::Move;
    constexpr bool is_pv = node != Node::other;
    const P& position = *position_;
    Ply& here = at(frame.ply);
    const bool whole = here.excluded.is_none();
    frame.key = position.key();
    if (whole) frame.known = shared_.table.probe(frame.key, frame.depth);
    const Knowledge& known = frame.known;
    frame.table_value = known ? from_table(known.value, frame.ply) : value_none;
    frame.table_move = node == Node::root ? root_moves_[pv_index_].move : known ? known.move : Move::none();
    frame.table_capture =
        !frame.table_move.is_none() && frame.table_move.is_well_formed() && position.is_tactical(frame.table_move);
    here.table_hit = static_cast<bool>(known);
    if (whole) here.table_pv = is_pv || (known && known.was_pv);

    const Value value = frame.table_value;
    if (node != Node::root && known && known.depth == proven_depth && position.is_legal(frame.table_move)) {
        at(frame.ply + 1).line_length = 0;
        if constexpr (is_pv) note_line(frame.ply, frame.table_move);
        return value;
    }
    const bool high = value >= frame.beta;
    if (is_pv || !known || value == value_none || known.depth <= frame.depth - (value <= frame.beta) ||
        !includes(known.bound, high ? Bound::lower : Bound::upper) || (frame.cut_node != high && frame.depth <= 5))
        return std::nullopt;
    credited_ += known.size;
    if (!frame.table_move.is_none() && high && !frame.table_capture && position.is_pseudo_legal(frame.table_move)) {
        const Move move = frame.table_move;
        const int bonus = bonus_of(frame.depth);
        butterfly(position.side_to_move(), move).update(bonus);
        update_continuations(frame.ply, mover_slot(position, move), move.to(), bonus);
    }
    if (const Ply& last = at(frame.ply - 1);
        high && !last.move.is_none() && last.count <= 3 && position.state().captured.is_none())
        update_continuations(frame.ply - 1, last.mover, last.move.to(), -tuned().table_malus);
    return value;
}

// By declaration, or by mate.
template <typename P>
template <typename Worker<P>::Node node>
std::optional<Value> Worker<P>::win_at_once(Frame& frame) {
    if constexpr (node == Node::root) return std::nullopt;
    if (can_declare()) return mate_in(frame.ply + 1);
    if (!at(frame.ply).excluded.is_none()) return std::nullopt;
    // Each is looked for once: when the position is met for the first time, and when quiescence has seen it at most.
    int plies = 1;
    shogi::Move mate;
    if (!frame.known) mate = shogi::mate_in_one(*position_, checks_in(frame));
    if (mate.is_none() && frame.depth >= tuned().mate_three_depth && (!frame.known || frame.known.depth <= 0)) {
        std::uint64_t not_counted = 0;
        plies = 3;
        mate = shogi::mate_in_three(*position_, not_counted);
    }
    if (mate.is_none()) return std::nullopt;
    const Value value = mate_in(frame.ply + plies);
    shared_.table.store(frame.key,
                        {mate, to_table(value, frame.ply), value_none, max_ply - 1, Bound::exact, node != Node::other});
    return value;
}

// The static evaluation, corrected by experience, and by the table where its bound says more.
template <typename P>
void Worker<P>::assess(Frame& frame) {
    const int ply = frame.ply;
    Ply& here = at(ply);
    if (here.in_check) {
        here.evaluation = value_none;
        return;
    }
    const bool whole = here.excluded.is_none();
    const Knowledge& known = frame.known;
    if (!whole) {
        frame.evaluation = here.evaluation;
    } else {
        frame.raw = known && known.evaluation != value_none ? known.evaluation : evaluate();
        here.evaluation = frame.evaluation = corrected(frame.raw, frame.ply);
        frame.correction = here.evaluation - frame.raw;
        if (!known)
            shared_.table.store(frame.key,
                                {shogi::Move::none(), value_none, frame.raw, -3, Bound::upper, here.table_pv});
        if (known && frame.table_value != value_none &&
            includes(known.bound, frame.table_value > frame.evaluation ? Bound::lower : Bound::upper))
            frame.evaluation = frame.table_value;
    }
    const Value before = at(ply - 2).evaluation != value_none ? at(ply - 2).evaluation : at(ply - 4).evaluation;
    frame.improving = before == value_none || here.evaluation > before;
    const Ply& last = at(ply - 1);
    if (last.evaluation == value_none) return;
    frame.opponent_worsening = here.evaluation > -last.evaluation + 2;
    // The opponent's quiet move is as good as it left us badly off.
    if (!last.move.is_none() && position_->state().captured.is_none() && whole)
        butterfly(~position_->side_to_move(), last.move)
            .update(std::clamp(-tuned().surprise_slope * (last.evaluation + here.evaluation), -tuned().surprise_max,
                               tuned().surprise_max));
}

// Is the position so good or so bad that no move need be tried?
template <typename P>
std::optional<Value> Worker<P>::cut_without_moves(const Frame& frame) {
    const Parameters& p = tuned();
    const int depth = frame.depth;
    const Value beta = frame.beta;
    const Value evaluation = frame.evaluation;
    const Ply& here = at(frame.ply);
    // Razoring: so far below alpha that only captures could help.
    if (evaluation < frame.alpha - p.razor_base - p.razor_slope * depth * depth) {
        const Value value = quiescence<false>(frame.ply, frame.alpha, frame.alpha + 1, 0);
        if (value <= frame.alpha && !is_decisive(value)) return value;
    }
    // Reverse futility: so far above beta that the opponent will not get back.
    const Value margin = (p.futility_margin - (frame.cut_node && !here.table_hit ? p.futility_cut : 0)) * depth -
                         (frame.improving ? p.futility_improving * depth / 2 : 0) -
                         (frame.opponent_worsening ? p.futility_improving * depth / 4 : 0);
    if (!here.table_pv && depth <= p.futility_max_depth && evaluation - margin >= beta && evaluation >= beta &&
        !is_decisive(beta) && !is_decisive(evaluation) && (frame.table_move.is_none() || frame.table_capture))
        return (2 * beta + evaluation) / 3;
    if (frame.cut_node && !at(frame.ply - 1).move.is_none() && evaluation >= beta &&
        here.evaluation >= beta - p.null_margin * depth + p.null_margin_base && !is_decisive(beta) &&
        frame.ply >= null_verification_ply_)
        return cut_by_null_move(frame);
    return std::nullopt;
}

// If passing is good enough, a move is.
template <typename P>
std::optional<Value> Worker<P>::cut_by_null_move(const Frame& frame) {
    const Parameters& p = tuned();
    const int ply = frame.ply;
    const Value beta = frame.beta;
    const int reduction = p.null_base + frame.depth / p.null_depth_divisor +
                          std::min((frame.evaluation - beta) / p.null_eval_divisor, p.null_eval_max);
    do_null_move(ply);
    const Value value = -search<Node::other>(ply + 1, -beta, -beta + 1, frame.depth - reduction, false);
    undo_null_move();
    if (stopped()) return 0;
    if (value < beta || is_decisive(value)) return std::nullopt;
    if (null_verification_ply_ != 0 || frame.depth < p.null_verify_depth) return value;
    // At high depth a wrong cut is costly: search once more without null moves.
    null_verification_ply_ = ply + 3 * (frame.depth - reduction) / 4;
    const Value verified = search<Node::other>(ply, beta - 1, beta, frame.depth - reduction, false);
    null_verification_ply_ = 0;
    if (verified >= beta) return value;
    return std::nullopt;
}

// ProbCut: a capture that beats a raised beta at reduced depth will beat beta.
template <typename P>
std::optional<Value> Worker<P>::cut_by_capture(Frame& frame, const Continuations& continuation) {
    using shogi::Move;
    const Parameters& p = tuned();
    const int ply = frame.ply;
    const Ply& here = at(ply);
    const Value raised = frame.beta + p.probcut_margin - (frame.improving ? p.probcut_improving : 0);
    if (frame.depth < 3 || is_decisive(frame.beta)) return std::nullopt;
    if (frame.known && frame.known.depth >= frame.depth - 3 && frame.table_value != value_none &&
        frame.table_value < raised)
        return std::nullopt;
    const shogi::CheckView<P>& checks = checks_in(frame);
    MovePicker<P> picker(*position_, checks, frame.table_move,
                         typename MovePicker<P>::Probcut{raised - here.evaluation}, *histories_, continuation,
                         shared_.settings.generate_all_moves);
    const int probe_depth = std::max(frame.depth - p.probcut_depth, 0);
    for (Move move = picker.next(); !move.is_none(); move = picker.next()) {
        if (!position_->leaves_king_safe(move)) continue;
        at(ply).count = 0;
        do_move(ply, move, checks.gives_check(move));
        Value value = -quiescence<false>(ply + 1, -raised, -raised + 1, 0);
        if (value >= raised && probe_depth > 0)
            value = -search<Node::other>(ply + 1, -raised, -raised + 1, probe_depth, !frame.cut_node);
        undo_move();
        if (stopped()) return 0;
        if (value < raised) continue;
        shared_.table.store(frame.key, {move, to_table(value, ply), frame.raw, probe_depth + 1, Bound::lower,
                                        here.table_pv, size_since(frame.effort_before)});
        return is_decisive(value) ? value : value - (raised - frame.beta);
    }
    return std::nullopt;
}

// The moves, best first.
template <typename P>
template <typename Worker<P>::Node node>
Value Worker<P>::search_moves(Frame& frame, const Continuations& continuation) {
    using shogi::Move;
    constexpr bool is_root = node == Node::root;
    constexpr bool is_pv = node != Node::other;
    P& position = *position_;
    Ply& here = at(frame.ply);
    MovePicker<P> picker(position, checks_in(frame), frame.table_move, *histories_, continuation,
                         shared_.settings.generate_all_moves);
    if (frame.ply < low_plies) picker.favour_ply(frame.ply, tuned().low_ply_weight);
    std::size_t root_next = pv_index_;
    const auto next_move = [&]() -> Move {
        if constexpr (is_root)
            return root_next < root_moves_.size() ? root_moves_[root_next++].move : Move::none();
        else
            return picker.next();
    };
    frame.pawns = &pawns_of(position, *histories_);
    const Value first_alpha = frame.alpha;
    Tried quiets;
    Tried captures;
    int count = 0;
    bool prune_quiets = false;
    for (Move move = next_move(); !move.is_none(); move = next_move()) {
        if (move == here.excluded) continue;
        if (!is_root && !position.leaves_king_safe(move)) continue;
        ++count;
        if (prune_quiets && !is_root && !position.is_tactical(move)) continue;
        Candidate candidate = candidate_of(frame, move, count);
        if (!is_root && !is_decisive(frame.best)) {
            if (count >= (tuned().lmp_base + frame.depth * frame.depth) / (frame.improving ? 1 : 2)) {
                prune_quiets = true;
                picker.skip_quiets();
                if (!candidate.capture && !candidate.gives_check) continue;
            }
            if (not_worth_playing(frame, candidate, continuation)) continue;
        }
        if (const auto value = extend<node>(frame, candidate)) return *value;

        const std::uint64_t nodes_before = is_root ? nodes() : 0;
        const int history = history_of(candidate, continuation);
        here.count = count;
        do_move(frame.ply, move, candidate.gives_check);
        const Value value = search_move<node>(frame, candidate, history);
        undo_move();
        if (stopped()) return 0;

        if constexpr (is_root) note_root_result(move, value, frame.alpha, frame.beta, count, nodes() - nodes_before);
        if (value > frame.best) {
            frame.best = value;
            if (value > frame.alpha) {
                frame.best_move = move;
                if constexpr (is_pv && !is_root) note_line(frame.ply, move);
                if (value >= frame.beta) {
                    here.cutoffs += 1 + (candidate.extension < 2);
                    break;
                }
                // With one good move found, the others need less depth to be refuted.
                if (frame.depth > 2 && frame.depth < 14 && !is_decisive(value)) frame.depth -= 1;
                frame.alpha = value;
            }
        }
        if (move != frame.best_move) (candidate.capture ? captures : quiets).add(move);
    }
    // No move at all: mate (in shogi, stalemate loses as well).
    if (count == 0) return here.excluded.is_none() ? mated_in(frame.ply) : frame.alpha;
    if (frame.best >= frame.beta && !is_decisive(frame.best) && !is_decisive(frame.alpha))
        frame.best = (frame.best * frame.depth + frame.beta) / (frame.depth + 1);
    learn_from_moves(frame, quiets, captures);
    remember<node>(frame, first_alpha);
    return frame.best;
}

template <typename P>
typename Worker<P>::Candidate Worker<P>::candidate_of(Frame& frame, shogi::Move move, int count) const {
    const P& position = *position_;
    Candidate candidate;
    candidate.move = move;
    candidate.count = count;
    candidate.capture = position.is_tactical(move);
    candidate.gives_check = checks_in(frame).gives_check(move);
    candidate.piece = piece_after(position, move);
    candidate.mover = mover_slot(position, move);
    candidate.to = move.to().slot();
    candidate.depth = frame.depth - 1;
    candidate.reduction = reduction_of(frame.improving, frame.depth, count, frame.beta - frame.alpha);
    candidate.reduction -= count * tuned().lmr_count;
    if (at(frame.ply).table_pv)
        candidate.reduction -= tuned().lmr_pv - (frame.beta - frame.alpha > 1 ? tuned().lmr_pv_window : 0);
    return candidate;
}

// Near the leaves some moves are not searched at all. They may still lift `best` to what they could hope for.
template <typename P>
bool Worker<P>::not_worth_playing(Frame& frame, const Candidate& candidate, const Continuations& continuation) {
    const Parameters& p = tuned();
    const P& position = *position_;
    const Ply& here = at(frame.ply);
    const auto [mover, to] = std::pair(candidate.mover, candidate.to);
    const int short_depth = std::max(candidate.depth - candidate.reduction / 1024, 0);
    if (candidate.capture) {
        const int history = capture_history(candidate);
        if (!candidate.gives_check && short_depth < 7 && !here.in_check) {
            const Value hope = here.evaluation + p.capture_futility_base + p.capture_futility_slope * short_depth +
                               shogi::material_swing(position, candidate.move) + history / 8;
            if (hope <= frame.alpha) return true;
        }
        return !shogi::exchange_gains(position, candidate.move, -p.capture_see_slope * frame.depth - history / 32);
    }
    if (candidate.gives_check)
        return !shogi::exchange_gains(position, candidate.move, -p.capture_see_slope * frame.depth);
    int history = (*continuation[0])[mover][to] + (*continuation[1])[mover][to] + (*frame.pawns)[mover][to];
    if (short_depth < p.history_prune_depth && history < -p.history_prune_slope * frame.depth) return true;
    history += 2 * butterfly(position.side_to_move(), candidate.move);
    const int lower_depth = std::max(short_depth + history / p.history_depth, 0);
    if (!here.in_check && lower_depth < p.quiet_futility_depth) {
        const Value hope = here.evaluation + p.quiet_futility_base + p.quiet_futility_slope * lower_depth;
        if (hope <= frame.alpha) {
            if (frame.best <= hope && !is_decisive(frame.best)) frame.best = hope;
            return true;
        }
    }
    return !shogi::exchange_gains(position, candidate.move, -p.quiet_see_slope * lower_depth * lower_depth);
}

// Is the table's move the only one that holds? Then it is searched more deeply; if there are several, less. Gives a
// value when that alone beats beta.
template <typename P>
template <typename Worker<P>::Node node>
std::optional<Value> Worker<P>::extend(Frame& frame, Candidate& candidate) {
    constexpr bool is_pv = node != Node::other;
    const Parameters& p = tuned();
    Ply& here = at(frame.ply);
    const bool singular = node != Node::root && candidate.move == frame.table_move && here.excluded.is_none() &&
                          frame.known && frame.depth >= p.singular_depth + here.table_pv &&
                          frame.table_value != value_none && !is_decisive(frame.table_value) &&
                          includes(frame.known.bound, Bound::lower) && frame.known.depth >= frame.depth - 3 &&
                          frame.ply < 2 * root_depth_;
    int& extension = candidate.extension;
    if (singular) {
        const Value lowered = frame.table_value - p.singular_margin * frame.depth / 64;
        here.excluded = candidate.move;
        const Value value = search<Node::other>(frame.ply, lowered - 1, lowered, candidate.depth / 2, frame.cut_node);
        here.excluded = shogi::Move::none();
        if (stopped()) return 0;
        if (value < lowered) {
            extension = 1;
            if (!is_pv && value < lowered - p.double_margin) extension = 2;
            if (!is_pv && !frame.table_capture && value < lowered - p.triple_margin) extension = 3;
            if (!is_pv && frame.depth < 14) ++frame.depth;
        } else if (value >= frame.beta && !is_decisive(value)) {
            return value;
        } else if (frame.table_value >= frame.beta) {
            extension = -3;
        } else if (frame.cut_node) {
            extension = -2;
        }
    } else if (candidate.gives_check && is_pv && frame.depth < 9 &&
               shogi::exchange_gains(*position_, candidate.move, 0)) {
        extension = 1;
    }
    candidate.depth += extension;
    return std::nullopt;
}

template <typename P>
int Worker<P>::history_of(const Candidate& candidate, const Continuations& continuation) {
    if (candidate.capture)
        return 3 * shogi::material_swing(*position_, candidate.move) + capture_history(candidate) -
               tuned().lmr_capture_history;
    return 2 * butterfly(position_->side_to_move(), candidate.move) +
           (*continuation[0])[candidate.mover][candidate.to] + (*continuation[1])[candidate.mover][candidate.to] -
           tuned().lmr_quiet_history;
}

// The value of a move that has just been made.
template <typename P>
template <typename Worker<P>::Node node>
Value Worker<P>::search_move(Frame& frame, Candidate& candidate, int history) {
    constexpr bool is_root = node == Node::root;
    constexpr bool is_pv = node != Node::other;
    const Parameters& p = tuned();
    const int ply = frame.ply;
    const Value alpha = frame.alpha;
    int reduction = candidate.reduction;
    Value value = 0;
    if (frame.depth >= 2 && candidate.count > 1 + is_root) {
        // Late moves are searched less deeply first, with a window that only asks whether they are better.
        if (frame.cut_node) reduction += p.lmr_cut + (frame.table_move.is_none() ? p.lmr_cut_no_move : 0);
        if (frame.table_capture && !candidate.capture) reduction += p.lmr_table_capture;
        if (at(ply + 1).cutoffs > 2) reduction += p.lmr_cutoffs;
        if (candidate.gives_check) reduction -= p.lmr_check;
        if (candidate.move == frame.table_move) reduction -= p.lmr_table_move;
        reduction -= std::abs(frame.correction) * p.lmr_correction + history * 1024 / p.lmr_history;
        const int reduced =
            std::max(1, std::min(candidate.depth - reduction / 1024, candidate.depth + (is_pv ? 2 : 1)));
        at(ply).reduction = candidate.depth - reduced;
        value = -search<Node::other>(ply + 1, -alpha - 1, -alpha, reduced, true);
        at(ply).reduction = 0;
        if (value > alpha && reduced < candidate.depth) {
            // The move surprised: look at it in full, a ply deeper or less by how much it did.
            if (value > frame.best + p.lmr_deeper) ++candidate.depth;
            if (value < frame.best + p.lmr_shallower) --candidate.depth;
            if (candidate.depth > reduced)
                value = -search<Node::other>(ply + 1, -alpha - 1, -alpha, candidate.depth, !frame.cut_node);
            if (!candidate.capture)
                update_continuations(ply, candidate.mover, candidate.move.to(),
                                     value >= frame.beta ? p.bonus_max : p.bonus_research);
        }
    } else if (!is_pv || candidate.count > 1) {
        if (frame.table_move.is_none()) reduction += p.lmr_no_move;
        value = -search<Node::other>(ply + 1, -alpha - 1, -alpha, candidate.depth - (reduction > p.lmr_full_less),
                                     !frame.cut_node);
    }
    // The first move, and moves that proved better, with the whole window.
    if constexpr (is_pv) {
        if (candidate.count == 1 || value > alpha)
            value = -search<Node::pv>(ply + 1, -frame.beta, -alpha, candidate.depth, false);
    }
    return value;
}

template <typename P>
void Worker<P>::learn_from_moves(const Frame& frame, const Tried& quiets, const Tried& captures) {
    if (!frame.best_move.is_none()) {
        update_histories(frame, quiets, captures);
        return;
    }
    // Everything failed: the opponent's move was good.
    const Ply& last = at(frame.ply - 1);
    if (last.move.is_none()) return;
    const Parameters& p = tuned();
    const std::size_t to = last.move.to().slot();
    if (const shogi::Piece taken = position_->state().captured; !taken.is_none()) {
        histories_->capture[position_->piece_at(last.move.to()).slot()][to][shogi::index(taken.kind())].update(
            bonus_of(frame.depth) * p.fail_low_capture / 1024);
        return;
    }
    const int bonus = bonus_of(frame.depth) * (frame.depth > 5 ? 2 : 1);
    update_continuations(frame.ply - 1, last.mover, last.move.to(), bonus);
    butterfly(~position_->side_to_move(), last.move).update(bonus / 2);
    (*frame.pawns)[last.mover][to].update(bonus * p.fail_low_pawn / 1024);
}

template <typename P>
template <typename Worker<P>::Node node>
void Worker<P>::remember(const Frame& frame, Value first_alpha) {
    Ply& here = at(frame.ply);
    const Value best = frame.best;
    const bool found = !frame.best_move.is_none();
    if (best <= first_alpha) here.table_pv = here.table_pv || (at(frame.ply - 1).table_pv && frame.depth > 3);
    if (!here.excluded.is_none()) return;
    if (node != Node::root || pv_index_ == 0) {
        const Bound bound = best >= frame.beta             ? Bound::lower
                            : node != Node::other && found ? Bound::exact
                                                           : Bound::upper;
        shared_.table.store(frame.key, {frame.best_move, to_table(best, frame.ply), frame.raw, frame.depth, bound,
                                        here.table_pv, size_since(frame.effort_before)});
    }
    if (!here.in_check && (!found || !position_->is_tactical(frame.best_move)) && !is_decisive(best) &&
        (best > here.evaluation) == found)
        learn_correction(frame.ply, frame.depth, here.evaluation, best);
}

}  // namespace tsumugi::search
