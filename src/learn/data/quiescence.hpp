// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "eval/evaluation.hpp"
#include "shogi/position.hpp"

namespace tsumugi::learn::data {

// What a position is worth once nothing is left to be captured, by the plainest search that finds out: captures and
// promotions of pawns that do not lose material, and all moves out of check. Unlike the engine's own quiescence search
// it has no memory, so that its verdict on a position is always the same.
class Quiescence {
public:
    explicit Quiescence(std::shared_ptr<const eval::Evaluator> evaluator);

    struct Verdict {
        int before = 0;                      // the static evaluation
        int after = 0;                       // of captures
        std::vector<shogi::Move> line = {};  // the captures that lead to it; empty when the position is quiet
    };
    // For a position that is not in check. It is restored.
    Verdict judge(shogi::Position& position);
    // Would the verdict lie at most so far from the static evaluation? Asking only this takes far fewer positions.
    bool is_quiet(shogi::Position& position, int margin);

private:
    // Exchanges are hardly ever longer; checks in between could be.
    static constexpr int deepest = 12;

    int search(shogi::Position& position, int alpha, int beta, int depth);
    int after(shogi::Position& position, shogi::Move move, int alpha, int beta, int depth);

    std::shared_ptr<const eval::Evaluator> evaluator_;
    std::unique_ptr<eval::Evaluation> evaluation_;
    std::array<std::vector<shogi::Move>, deepest + 1> lines_;  // the best one found so far with so much depth left
};

}  // namespace tsumugi::learn::data
