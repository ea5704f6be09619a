// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/mirror.hpp"

#include <fmt/format.h>

#include "shogi/position.hpp"

namespace tsumugi::eval {
namespace {

shogi::Setup mirrored(const shogi::Board& board) {
    shogi::Setup image = board.setup();
    for (std::size_t i = 0; i < shogi::Square::count; ++i) {
        const shogi::Square s = shogi::Square::from_index(i);
        image.put(s.mirrored(), board.piece_at(s));
    }
    return image;
}

class MirroredEvaluation final : public Evaluation {
public:
    explicit MirroredEvaluation(const Evaluator& inner) : MirroredEvaluation(inner.start(), inner.start()) {}

    void reset(const shogi::Board& root) override { seen_->reset(root); }

    int evaluate(const shogi::Board& board) override {
        const auto image = shogi::Position::from(mirrored(board));
        if (!image) return seen_->evaluate(board);
        image_->reset(*image);
        return (seen_->evaluate(board) + image_->evaluate(*image)) / 2;
    }

private:
    MirroredEvaluation(std::unique_ptr<Evaluation> seen, std::unique_ptr<Evaluation> image)
        : Evaluation(*seen), seen_(std::move(seen)), image_(std::move(image)) {}

    std::unique_ptr<Evaluation> seen_;   // follows the moves
    std::unique_ptr<Evaluation> image_;  // begins anew with every position
};

class MirroredEvaluator final : public Evaluator {
public:
    explicit MirroredEvaluator(std::shared_ptr<const Evaluator> inner) : inner_(std::move(inner)) {}

    [[nodiscard]] std::unique_ptr<Evaluation> start() const override {
        return std::make_unique<MirroredEvaluation>(*inner_);
    }
    [[nodiscard]] std::string description() const override {
        return fmt::format("{}, mean of a position and its mirror image", inner_->description());
    }

private:
    std::shared_ptr<const Evaluator> inner_;
};

}  // namespace

std::shared_ptr<const Evaluator> with_mirror_image(std::shared_ptr<const Evaluator> inner) {
    return std::make_shared<const MirroredEvaluator>(std::move(inner));
}

}  // namespace tsumugi::eval
