// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/material.hpp"

#include <array>

namespace tsumugi::eval {
namespace {

using shogi::Board;
using shogi::Color;
using shogi::Kind;

// Indexed by Kind: none, pawn, lance, knight, silver, bishop, rook, gold, king, then the promoted ones.
constexpr std::array<int, shogi::kind_slots> values{0, 90,  315, 405, 495, 855, 990, 540,
                                                    0, 540, 540, 540, 540, 945, 1395};

int count_all(const Board& board) {
    int sum = 0;
    for (const Color c : shogi::both_colors) {
        const int sign = c == Color::black ? 1 : -1;
        for (const Kind kind : shogi::all_kinds)
            sum += sign * board.pieces(c, kind).count() * material_value(kind);
        for (const Kind kind : shogi::hand_kinds)
            sum += sign * board.hand(c).count(kind) * material_value(kind);
    }
    return sum;
}

// What the mover gains.
int gain(const Change& change) {
    int sum = 0;
    if (change.move.promotes())
        sum += material_value(shogi::promoted(change.moved.kind())) - material_value(change.moved.kind());
    if (!change.captured.is_none())
        sum += material_value(change.captured.kind()) + material_value(shogi::unpromoted(change.captured.kind()));
    return sum;
}

class MaterialEvaluation final : public Evaluation {
public:
    void reset(const Board& root) override {
        trail().top = 0;
        trail().entries[0] = Entry{{}, 1};
        sums_[0] = count_all(root);
    }

    int evaluate(const Board& board) override {
        std::size_t at = trail().top;
        while (trail().entries[at].known == 0)
            --at;
        for (; at < trail().top; ++at) {
            const Change& change = trail().entries[at + 1].change;
            const int sign = change.moved.color() == Color::black ? 1 : -1;
            sums_[at + 1] = sums_[at] + sign * gain(change);
            trail().entries[at + 1].known = 1;
        }
        return board.side_to_move() == Color::black ? sums_[at] : -sums_[at];
    }

private:
    std::array<int, capacity + 1> sums_{};  // from Black's side
};

class MaterialEvaluator final : public Evaluator {
public:
    [[nodiscard]] std::unique_ptr<Evaluation> start() const override { return std::make_unique<MaterialEvaluation>(); }
    [[nodiscard]] std::string description() const override { return "material"; }
};

}  // namespace

int material_value(Kind kind) { return values[index(kind)]; }

std::shared_ptr<const Evaluator> material_evaluator() { return std::make_shared<const MaterialEvaluator>(); }

}  // namespace tsumugi::eval
