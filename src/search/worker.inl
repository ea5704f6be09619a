// SPDX-License-Identifier: GPL-3.0-or-later
// Worker: everything around the recursion.
#pragma once

#include <cmath>

namespace tsumugi::search {

template <typename P>
void Worker<P>::clear() {
    histories_->clear();
    fill(no_history_, -300);
}

template <typename P>
void Worker<P>::use_evaluator(const std::shared_ptr<const eval::Evaluator>& evaluator) {
    if (evaluator == evaluator_) return;
    evaluation_ = evaluator->start();
    evaluator_ = evaluator;
}

template <typename P>
void Worker<P>::set_root(const P& root, const std::vector<shogi::Move>& moves) {
    position_ = root;
    root_side_ = root.side_to_move();
    choose_quiescence(shared_.settings.quiescence);
    prepare_reductions();
    evaluation_->reset(*position_);
    root_moves_.clear();
    for (const shogi::Move move : moves) {
        RootMove& each = root_moves_.emplace_back();
        each.move = move;
        each.line = {move};
    }
    nodes_.store(0, std::memory_order_relaxed);
    credited_ = 0;
    completed_depth_ = 0;
    root_depth_ = 0;
    null_verification_ply_ = 0;
    best_move_changes_.store(0, std::memory_order_relaxed);
    fill(histories_->low_ply, 0);
    // Without the lines, which are most of it: short searches would spend their time here.
    for (Place& place : plies_) {
        place = Place();
        place.continuation = &no_history_;
    }
}

template <typename P>
void Worker<P>::prepare_reductions() {
    if (growth_divisor_ == tuned().lmr_divisor) return;
    growth_divisor_ = tuned().lmr_divisor;
    const double growth = std::sqrt(1024 * 100.0 / growth_divisor_) * (1 << growth_bits);
    for (std::size_t i = 1; i < growth_.size(); ++i)
        growth_[i] = static_cast<int>(growth * std::log(static_cast<double>(i)));
}

template <typename P>
void Worker<P>::iterate(int max_depth, const Finished& finished, const Report& report) {
    const auto lines = std::min(static_cast<std::size_t>(std::max(shared_.settings.multi_pv, 1)), root_moves_.size());
    for (int depth = 1; depth <= max_depth && !stopped(); ++depth) {
        root_depth_ = depth;
        for (RootMove& each : root_moves_)
            each.previous = each.score;
        for (pv_index_ = 0; pv_index_ < lines && !stopped(); ++pv_index_) {
            aspiration(pv_index_, depth, report);
            std::stable_sort(root_moves_.begin(), root_moves_.begin() + static_cast<std::ptrdiff_t>(pv_index_) + 1,
                             [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
        }
        if (stopped()) return;
        completed_depth_ = depth;
        if (!finished(depth)) return;
    }
}

template <typename P>
Value Worker<P>::aspiration(std::size_t pv_index, int depth, const Report& report) {
    const auto rest = root_moves_.begin() + static_cast<std::ptrdiff_t>(pv_index);
    const auto by_score = [](const RootMove& a, const RootMove& b) {
        return a.score != b.score ? a.score > b.score : a.previous > b.previous;
    };
    selective_depth_ = 0;
    Value window = tuned().aspiration_window;
    Value alpha = -value_infinite;
    Value beta = value_infinite;
    const Value expected = rest->average;
    if (depth >= 4 && expected != value_none) {
        window += std::abs(expected) / 64;
        alpha = std::max(expected - window, -value_infinite);
        beta = std::min(expected + window, value_infinite);
    }
    int failed_high = 0;
    while (true) {
        root_window_ = std::max(beta - alpha, 1);
        narrowest_ = tuned().lmr_window / root_window_;
        const Value value = search<Node::root>(0, alpha, beta, std::max(depth - failed_high, 1), false);
        std::stable_sort(rest, root_moves_.end(), by_score);
        if (stopped()) return value;
        if (value <= alpha) {
            rest->bound = Bound::upper;
            report(pv_index, Bound::upper);
            beta = (alpha + beta) / 2;
            alpha = std::max(value - window, -value_infinite);
            failed_high = 0;
        } else if (value >= beta) {
            rest->bound = Bound::lower;
            report(pv_index, Bound::lower);
            beta = std::min(value + window, value_infinite);
            ++failed_high;
        } else {
            rest->bound = Bound::exact;
            return value;
        }
        window += window * tuned().aspiration_growth / 100 + 1;
        if (window > 2000) window = 2 * value_infinite;
    }
}

template <typename P>
void Worker<P>::note_root_result(const shogi::Move& move, Value value, Value alpha, Value beta, int count,
                                 std::uint64_t effort) {
    const auto found =
        std::find_if(root_moves_.begin(), root_moves_.end(), [&](const RootMove& r) { return r.move == move; });
    RootMove& root = *found;
    root.effort += effort;
    if (count > 1 && value <= alpha) {
        // Known only to be no better than the best: sorted behind it, in the order of the iteration before.
        root.score = -value_infinite;
        return;
    }
    root.score = value;
    root.selective_depth = selective_depth_;
    root.bound = value >= beta ? Bound::lower : value <= alpha ? Bound::upper : Bound::exact;
    root.average = root.average == value_none ? value : (2 * value + root.average) / 3;
    root.line.assign(1, move);
    const Ply& child = at(1);
    root.line.insert(root.line.end(), child.line.data(), child.line.data() + child.line_length);
    if (count > 1 && pv_index_ == 0) best_move_changes_.fetch_add(1, std::memory_order_relaxed);
}

template <typename P>
void Worker<P>::do_move(int ply, shogi::Move move, bool gives_check) {
    shared_.table.prefetch(position_->key_after(move));
    Ply& here = at(ply);
    here.move = move;
    here.mover = mover_slot(*position_, move);
    here.continuation = &histories_->continuation[here.mover][move.to().slot()];
    here.threatens.reset();
    nodes_.store(nodes_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    position_->do_move(move, gives_check);
    const shogi::State& state = position_->state();
    evaluation_->push({move, state.moved, state.captured});
}

template <typename P>
void Worker<P>::undo_move() {
    position_->undo_move();
    evaluation_->pop();
}

template <typename P>
void Worker<P>::do_null_move(int ply) {
    Ply& here = at(ply);
    here.move = shogi::Move::none();
    here.continuation = &no_history_;
    here.threatens.reset();
    position_->do_null_move();
    shared_.table.prefetch(position_->key());
    evaluation_->push({});
}

template <typename P>
void Worker<P>::undo_null_move() {
    position_->undo_null_move();
    evaluation_->pop();
}

template <typename P>
void Worker<P>::note_line(int ply, shogi::Move move) {
    Ply& here = at(ply);
    const Ply& child = at(ply + 1);
    here.line[0] = move;
    std::copy_n(child.line.data(), child.line_length, here.line.data() + 1);
    here.line_length = child.line_length + 1;
}

template <typename P>
Continuations Worker<P>::continuations(int ply) {
    return {at(ply - 1).continuation, at(ply - 2).continuation, at(ply - 4).continuation, at(ply - 6).continuation};
}

template <typename P>
bool Worker<P>::must_stop() {
    const std::uint64_t count = nodes();
    if (number_ == 0) {
        if (shared_.node_limit != 0 && count >= shared_.node_limit)
            shared_.stop.store(true, std::memory_order_relaxed);
        else if ((count & 511) == 0 && shared_.time_is_up())
            shared_.stop.store(true, std::memory_order_relaxed);
    }
    return stopped();
}

template <typename P>
Value Worker<P>::draw_value() const {
    const Value for_root =
        root_side_ == shogi::Color::black ? shared_.settings.draw_value_black : shared_.settings.draw_value_white;
    return position_->side_to_move() == root_side_ ? for_root : -for_root;
}

template <typename P>
std::optional<Value> Worker<P>::verdict(int ply) const {
    switch (position_->search_repetition(24)) {
        case shogi::Repetition::none: break;
        case shogi::Repetition::draw: return draw_value();
        case shogi::Repetition::win:
        case shogi::Repetition::superior: return value_superior - ply;
        case shogi::Repetition::loss:
        case shogi::Repetition::inferior: return -value_superior + ply;
    }
    const int limit = shared_.settings.max_moves_to_draw;
    if (limit > 0 && position_->move_number() > limit && !(position_->in_check() && !shogi::has_legal_move(*position_)))
        return draw_value();
    return std::nullopt;
}

template <typename P>
bool Worker<P>::can_declare() const {
    const shogi::EnteringKingRule rule = shared_.settings.entering_king;
    // Kings are almost never that far: look at that first.
    const shogi::Color us = position_->side_to_move();
    if (!shogi::Bitboard::of(position_->king(us)).intersects(shogi::promotion_zone[shogi::index(us)])) return false;
    if (rule == shogi::EnteringKingRule::try_rule) return !shogi::try_move(*position_).is_none();
    return shogi::can_declare_win(*position_, position_->in_check(), rule);
}

template <typename P>
Value Worker<P>::evaluate() {
    return std::clamp(evaluation_->evaluate(*position_), -value_eval_limit, value_eval_limit);
}

template <typename P>
std::uint64_t Worker<P>::last_moves(int ply) {
    const auto number = [](const Ply& p) {
        return p.move.is_none() ? 0 : p.mover * shogi::Square::count + p.move.to().slot() + 1;
    };
    return mix(number(at(ply - 1)), number(at(ply - 2)));
}

template <typename P>
Value Worker<P>::corrected(Value raw, int ply) {
    const shogi::Color us = position_->side_to_move();
    const int pawns = histories_->pawn_correction.entry(us, pawn_structure(*position_));
    int castles = 0;
    for (const shogi::Color c : shogi::both_colors)
        castles += histories_->castle_correction[shogi::index(c)].entry(us, castle_structure(*position_, c));
    const int continuation = histories_->continuation_correction.entry(us, last_moves(ply));
    const Parameters& p = tuned();
    const int correction =
        (pawns * p.correction_pawn + castles * p.correction_castle + continuation * p.correction_continuation) / 1600;
    return std::clamp(raw + correction, -value_eval_limit, value_eval_limit);
}

template <typename P>
void Worker<P>::learn_correction(int ply, int depth, Value evaluation, Value best) {
    const shogi::Color us = position_->side_to_move();
    const int bonus =
        std::clamp((best - evaluation) * depth / 8, -CorrectionHistory::limit / 4, CorrectionHistory::limit / 4);
    histories_->pawn_correction.entry(us, pawn_structure(*position_)).update(bonus);
    histories_->continuation_correction.entry(us, last_moves(ply)).update(bonus);
    for (const shogi::Color c : shogi::both_colors)
        histories_->castle_correction[shogi::index(c)].entry(us, castle_structure(*position_, c)).update(bonus);
}

template <typename P>
int Worker<P>::reduction_of(bool improving, int depth, int count, int window) const {
    // Without a division, since every candidate comes here.
    const auto by_depth = static_cast<std::int64_t>(growth_[static_cast<std::size_t>(std::min(depth, 255))]);
    const int by_count = growth_[static_cast<std::size_t>(std::min(count, 639))];
    const int scaled = static_cast<int>(by_depth * by_count >> (2 * growth_bits));
    const int base = tuned().lmr_base * 1024 / 100;
    // A window that has shrunk to a sliver of the root's needs less care.
    const int narrow = window == 1 ? narrowest_ : window * tuned().lmr_window / root_window_;
    return scaled + base - narrow + (improving ? 0 : tuned().lmr_not_improving);
}

template <typename P>
void Worker<P>::update_continuations(int ply, std::size_t mover, shogi::Square to, int bonus) {
    constexpr std::array<std::pair<int, int>, 4> weights{{{1, 1024}, {2, 700}, {4, 500}, {6, 400}}};
    for (const auto& [back, weight] : weights) {
        if (at(ply).in_check && back > 2) break;
        if (!at(ply - back).move.is_none())
            (*at(ply - back).continuation)[mover][to.slot()].update(bonus * weight / 1024);
    }
}

template <typename P>
void Worker<P>::update_histories(const Frame& frame, const Tried& quiets, const Tried& captures) {
    const Parameters& p = tuned();
    const int ply = frame.ply;
    const shogi::Move best = frame.best_move;
    const int bonus = bonus_of(frame.depth) + (best == frame.table_move ? p.bonus_table : 0);
    const int malus = std::min(p.malus_slope * frame.depth - p.malus_offset, p.malus_max);
    const shogi::Color us = position_->side_to_move();
    const auto quiet = [&](shogi::Move m, int amount) {
        butterfly(us, m).update(amount);
        if (ply < low_plies)
            histories_->low_ply[static_cast<std::size_t>(ply)][origin_slot(m)][m.to().slot()].update(amount);
        update_continuations(ply, mover_slot(*position_, m), m.to(), amount);
        (*frame.pawns)[mover_slot(*position_, m)][m.to().slot()].update(amount * 3 / 4);
    };
    const auto capture = [&](shogi::Move m, int amount) {
        histories_
            ->capture[piece_after(*position_, m).slot()][m.to().slot()]
                     [shogi::index(position_->piece_at(m.to()).kind())]
            .update(amount);
    };
    if (position_->is_tactical(best)) {
        capture(best, bonus);
    } else {
        quiet(best, bonus);
        for (std::size_t i = 0; i < quiets.count; ++i)
            if (quiets.moves[i] != best) quiet(quiets.moves[i], -malus);
    }
    for (std::size_t i = 0; i < captures.count; ++i)
        if (captures.moves[i] != best) capture(captures.moves[i], -malus);
    // The move the opponent would have played was wrong.
    const Ply& last = at(ply - 1);
    if (!last.move.is_none() && last.count == 1 + last.table_hit && position_->state().captured.is_none())
        update_continuations(ply - 1, last.mover, last.move.to(), -malus * p.refuted_malus / 1024);
}

}  // namespace tsumugi::search
