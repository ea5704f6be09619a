// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/quiescence.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/raw_array.hpp"
#include "shogi/movegen.hpp"
#include "shogi/see.hpp"

namespace tsumugi::learn::data {
namespace {

constexpr int infinite = eval::max_score + 2000;
constexpr int mated = -eval::max_score - 1000;

// The most valuable captures first; moves of the same value in an order that does not depend on the library.
class Ranking {
public:
    Ranking(const shogi::Position& position, const shogi::MoveList& moves) {
        for (const shogi::Move move : moves)
            ranked_[size_++] = {-shogi::material_swing(position, move), move.bits(), move};
        std::sort(ranked_.data(), ranked_.data() + size_,
                  [](const Ranked& a, const Ranked& b) { return std::tie(a.cost, a.bits) < std::tie(b.cost, b.bits); });
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] shogi::Move operator[](std::size_t i) const { return ranked_[i].move; }

private:
    struct Ranked {
        int cost = 0;
        unsigned bits = 0;
        shogi::Move move;
    };
    base::RawArray<Ranked, shogi::MoveList::capacity> ranked_;
    std::size_t size_ = 0;
};

}  // namespace

Quiescence::Quiescence(std::shared_ptr<const eval::Evaluator> evaluator)
    : evaluator_(std::move(evaluator)), evaluation_(evaluator_->start()) {}

Quiescence::Verdict Quiescence::judge(shogi::Position& position) {
    evaluation_->reset(position);
    Verdict verdict;
    verdict.before = evaluation_->evaluate(position);
    verdict.after = search(position, -infinite, infinite, deepest);
    verdict.line = lines_[deepest];
    return verdict;
}

bool Quiescence::is_quiet(shogi::Position& position, int margin) {
    evaluation_->reset(position);
    // Who is not in check may leave all captures alone, so they can only gain.
    const int most = evaluation_->evaluate(position) + margin;
    return search(position, most, most + 1, deepest) <= most;
}

int Quiescence::search(shogi::Position& position, int alpha, int beta, int depth) {
    std::vector<shogi::Move>& line = lines_[static_cast<std::size_t>(depth)];
    line.clear();
    shogi::MoveList moves;
    const bool in_check = position.in_check();
    int best = mated;
    if (in_check && depth > 0) {
        shogi::legal_moves(position, moves, shogi::Promotion::sensible);
    } else {
        best = evaluation_->evaluate(position);
        if (best >= beta || depth == 0) return best;
        alpha = std::max(alpha, best);
        shogi::ListSink sink(moves);
        shogi::generate<shogi::MoveSet::tactical, shogi::Promotion::sensible>(position, sink);
    }
    const Ranking ranking(position, moves);
    for (std::size_t i = 0; i < ranking.size(); ++i) {
        const shogi::Move move = ranking[i];
        if (!in_check && (!position.leaves_king_safe(move) || !shogi::exchange_gains(position, move, 0))) continue;
        const int value = after(position, move, alpha, beta, depth);
        if (value > alpha) {
            const auto& rest = lines_[static_cast<std::size_t>(depth - 1)];
            line.assign(1, move);
            line.insert(line.end(), rest.begin(), rest.end());
        }
        best = std::max(best, value);
        alpha = std::max(alpha, value);
        if (alpha >= beta) break;
    }
    return best;
}

int Quiescence::after(shogi::Position& position, shogi::Move move, int alpha, int beta, int depth) {
    position.do_move(move);
    const shogi::State& state = position.state();
    evaluation_->push({state.move, state.moved, state.captured});
    const int value = -search(position, -beta, -alpha, depth - 1);
    evaluation_->pop();
    position.undo_move();
    return value;
}

}  // namespace tsumugi::learn::data
