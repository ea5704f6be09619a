// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/branch.hpp"

#include "base/random.hpp"
#include "learn/data/item.hpp"
#include "learn/data/quiescence.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::learn::data {
namespace {

using record::PackedSfenValue;

bool play_random_move(shogi::Position& position, base::Random& random) {
    shogi::MoveList moves;
    shogi::legal_moves(position, moves, shogi::Promotion::sensible);
    if (moves.empty()) return false;
    position.do_move(moves[random.below(moves.size())]);
    return true;
}

class Branching final : public Grower {
public:
    Branching(const BranchSettings& settings, const std::shared_ptr<const eval::Evaluator>& evaluator)
        : settings_(settings), judge_(evaluator) {}

    void grow(std::span<const PackedSfenValue> positions, std::uint64_t first,
              std::vector<PackedSfenValue>& grown) override {
        const auto count = static_cast<std::uint64_t>(settings_.count);
        for (std::uint64_t number = first * count; const PackedSfenValue& value : positions)
            for (const std::uint64_t end = number + count; number < end; ++number)
                step_aside(value, number, grown);
    }

private:
    void step_aside(const PackedSfenValue& value, std::uint64_t number, std::vector<PackedSfenValue>& grown) {
        auto position = position_of(value);
        if (!position) return;
        base::Random random(base::SplitMix64(settings_.seed)() ^ base::SplitMix64(number)());
        for (auto left = random.between(1, settings_.moves); left > 0; --left)
            if (!play_random_move(*position, random)) return;
        if (position->in_check() || !shogi::has_legal_move(*position)) return;
        const Quiescence::Verdict verdict = judge_.judge(*position);
        for (const shogi::Move move : verdict.line)
            position->do_move(move);
        if (position->in_check()) return;
        const int score = verdict.line.size() % 2 == 0 ? verdict.after : -verdict.after;
        add_grown(grown, *position, score, settings_.max_score);
    }

    const BranchSettings& settings_;
    Quiescence judge_;
};

}  // namespace

base::Result<GrowthReport> branch(const BranchSettings& settings, const Monitor& monitor) {
    return grow_positions(
        settings, [&](const auto& evaluator) { return std::make_unique<Branching>(settings, evaluator); }, monitor);
}

}  // namespace tsumugi::learn::data
