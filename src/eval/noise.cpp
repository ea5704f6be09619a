// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/noise.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/random.hpp"
#include "shogi/zobrist.hpp"

namespace tsumugi::eval {
namespace {

using shogi::Board;
using shogi::Color;
using shogi::Key;

// The same number as the position's key, which a bare board does not carry.
Key key_of(const Board& board) {
    Key board_key = board.side_to_move() == Color::white ? shogi::Zobrist::white_to_move : 0;
    board.all().for_each(
        [&](shogi::Square s) { board_key ^= shogi::zobrist.on_board[board.piece_at(s).slot()][s.slot()]; });
    Key hand_key = 0;
    for (const Color c : shogi::both_colors)
        for (const shogi::Kind kind : shogi::hand_kinds)
            hand_key += shogi::zobrist.in_hand[index(c)][index(kind)] * static_cast<Key>(board.hand(c).count(kind));
    return board_key + hand_key;
}

class NoisyEvaluation final : public Evaluation {
public:
    NoisyEvaluation(std::unique_ptr<Evaluation> inner, const NoiseOptions& options)
        : Evaluation(*inner), inner_(std::move(inner)), options_(options) {}

    void reset(const Board& root) override { inner_->reset(root); }

    int evaluate(const Board& board) override {
        base::SplitMix64 mix(options_.seed);
        base::Random random(mix() ^ key_of(board));
        const auto error = static_cast<int>(std::lround(random.normal(0, options_.sigma)));
        return std::clamp(inner_->evaluate(board) + error, -max_score, max_score);
    }

private:
    std::unique_ptr<Evaluation> inner_;
    NoiseOptions options_;
};

class NoisyEvaluator final : public Evaluator {
public:
    NoisyEvaluator(std::shared_ptr<const Evaluator> inner, const NoiseOptions& options)
        : inner_(std::move(inner)), options_(options) {}

    [[nodiscard]] std::unique_ptr<Evaluation> start() const override {
        return std::make_unique<NoisyEvaluation>(inner_->start(), options_);
    }
    [[nodiscard]] std::string description() const override {
        return fmt::format("{} with noise of {} (seed {})", inner_->description(), options_.sigma, options_.seed);
    }

private:
    std::shared_ptr<const Evaluator> inner_;
    NoiseOptions options_;
};

}  // namespace

std::shared_ptr<const Evaluator> with_noise(std::shared_ptr<const Evaluator> inner, const NoiseOptions& options) {
    return std::make_shared<const NoisyEvaluator>(std::move(inner), options);
}

}  // namespace tsumugi::eval
