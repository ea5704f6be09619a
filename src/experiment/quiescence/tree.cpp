// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/quiescence/tree.hpp"

#include <algorithm>
#include <type_traits>

#include "search/threatmate.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::experiment::quiescence {
namespace {

using search::Value;
using shogi::Move;
namespace policy = search::policy;

// The reference: every move, and nobody may stand still.
struct FullWidth : policy::All {};

template <typename Policy>
constexpr bool may_stand = !std::is_same_v<Policy, FullWidth>;

constexpr std::size_t memory_size = std::size_t{1} << 16;
// Above and below everything that history says.
constexpr int good_capture = 1 << 20;

}  // namespace

int Rating::of(const shogi::Position& position, Move move) const {
    if (position.is_tactical(move)) {
        const int swing = shogi::material_swing(position, move);
        return shogi::exchange_gains(position, move, 0) ? good_capture + swing : swing - good_capture;
    }
    return (*history_)[shogi::index(position.side_to_move())][search::origin_slot(move)][move.to().slot()];
}

void Rating::note(const shogi::Position& position, Move move, int depth, bool best) {
    if (position.is_tactical(move)) return;
    const int bonus = 16 * depth * depth;
    (*history_)[shogi::index(position.side_to_move())][search::origin_slot(move)][move.to().slot()].update(
        best ? bonus : -bonus / 8);
}

Tree::Tree(const std::shared_ptr<const eval::Evaluator>& evaluator, const Rating& rating)
    : rating_(rating), evaluation_(evaluator->start()), memories_(memory_size) {}

std::vector<TreeResult> Tree::full_width(const shogi::Position& root, int deepest, Rating* student) {
    student_ = student;
    std::vector<TreeResult> results = deepen<FullWidth>(root, deepest);
    student_ = nullptr;
    return results;
}

template <typename Policy>
std::vector<TreeResult> Tree::deepen(const shogi::Position& root, int deepest) {
    position_ = root;
    evaluation_->reset(root);
    path_.assign(static_cast<std::size_t>(deepest) + 3, Step());
    std::fill(memories_.begin(), memories_.end(), Memory());
    std::vector<TreeResult> results;
    for (int depth = 1; depth <= deepest; ++depth) {
        nodes_ = 0;
        best_ = Move::none();
        const Value value = visit<Policy>(0, -search::value_infinite, search::value_infinite, depth);
        results.push_back({value, best_, nodes_});
    }
    return results;
}

template <typename Policy>
Value Tree::visit(int ply, Value alpha, Value beta, int depth) {
    ++nodes_;
    if (depth == 0) return evaluate();
    const bool in_check = position_->in_check();
    Value best = -search::value_infinite;
    if (may_stand<Policy> && !in_check) {
        best = evaluate();
        if (best >= beta) return best;
        alpha = std::max(alpha, best);
    }
    Candidates room;
    const auto moves = candidates<Policy>(ply, in_check, room);
    if (!moves) return search::mated_in(ply);
    Move best_move;
    for (std::size_t i = 0; i < moves->size(); ++i) {
        const Move move = (*moves)[i].move;
        do_move(ply, move);
        const Value value = -visit<Policy>(ply + 1, -beta, -alpha, depth - 1);
        undo_move();
        if (value <= best) continue;
        best = value;
        if (value <= alpha) continue;
        alpha = value;
        best_move = move;
        if (value < beta) continue;
        if (student_ != nullptr) learn(moves->first(i), move, depth);
        auto& killers = at(ply).killers;
        if (killers[0] != move) killers = {move, killers[0]};
        break;
    }
    if (!best_move.is_none()) memory_of(position_->key()) = {position_->key(), best_move};
    if (ply == 0) best_ = best_move;
    return best;
}

template <typename Policy>
std::optional<std::span<const Tree::Candidate>> Tree::candidates(int ply, bool in_check, Candidates& room) {
    const shogi::Position& position = *position_;
    shogi::MoveList list;
    if (in_check || Policy::quiet_moves) {
        shogi::legal_moves(position, list, shogi::Promotion::sensible);
        if (list.empty()) return std::nullopt;
    } else {
        shogi::ListSink sink(list);
        shogi::generate<shogi::MoveSet::tactical, shogi::Promotion::sensible>(position, sink);
    }
    std::size_t count = 0;
    for (const Move move : list)
        if (in_check || Policy::quiet_moves || position.leaves_king_safe(move))
            room[count++] = {move, rating_.of(position, move)};
    const std::span<Candidate> all(room.data(), count);
    std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
        return a.rating != b.rating ? a.rating > b.rating : a.move.bits() < b.move.bits();
    });
    if (!in_check) {
        policy::Scene scene = scene_for<Policy>(ply);
        scene.moves = static_cast<int>(count);
        count = 0;
        for (const Candidate& each : all) {
            ++scene.rank;
            if (Policy::admits(position, each.move, scene)) room[count++] = each;
        }
    }
    const std::span<Candidate> admitted(room.data(), count);
    prefer(admitted, ply);
    return admitted;
}

template <typename Policy>
policy::Scene Tree::scene_for(int ply) {
    policy::Scene scene;
    if constexpr (Policy::judges_threats) {
        std::optional<bool>& threatens = at(ply - 2).threatens;
        if (!threatens) threatens = search::threatmate::threatened(*position_);
        scene.threatened = *threatens;
    }
    return scene;
}

// What was best here before, and what cut in positions beside this one, comes first.
void Tree::prefer(std::span<Candidate> moves, int ply) {
    std::size_t front = 0;
    const auto lead = [&](Move move) {
        const auto begin = moves.begin() + static_cast<std::ptrdiff_t>(front);
        const auto found = std::find_if(begin, moves.end(), [&](const Candidate& each) { return each.move == move; });
        if (found == moves.end()) return;
        std::rotate(begin, found, found + 1);
        ++front;
    };
    const Memory& memory = memory_of(position_->key());
    if (memory.key == position_->key()) lead(memory.move);
    while (front < moves.size() && moves[front].rating >= good_capture)
        ++front;
    for (const Move killer : at(ply).killers)
        lead(killer);
}

void Tree::learn(std::span<const Candidate> tried, Move best, int depth) {
    for (const Candidate& each : tried)
        student_->note(*position_, each.move, depth, false);
    student_->note(*position_, best, depth, true);
}

void Tree::do_move(int ply, Move move) {
    at(ply).threatens.reset();
    position_->do_move(move);
    const shogi::State& state = position_->state();
    evaluation_->push({state.move, state.moved, state.captured});
}

void Tree::undo_move() {
    evaluation_->pop();
    position_->undo_move();
}

Value Tree::evaluate() {
    return std::clamp(evaluation_->evaluate(*position_), -search::value_eval_limit, search::value_eval_limit);
}

std::vector<TreeResult> Tree::by_policy(const shogi::Position& root, search::QuiescencePolicy name, int deepest) {
    return search::with_policy(name, [&]<typename Policy>() -> std::vector<TreeResult> {
        // What the engine plays with depends on the window of its search and has no value of its own.
        if constexpr (std::is_same_v<Policy, policy::Standard>)
            return {};
        else
            return deepen<Policy>(root, deepest);
    });
}

}  // namespace tsumugi::experiment::quiescence
