// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "eval/evaluation.hpp"
#include "eval/nnue/network.hpp"

namespace tsumugi::eval::nnue {

// How many units of a net's output make one unit of score, unless the user says otherwise.
constexpr int default_fv_scale = 16;

class NetEvaluation : public Evaluation {
public:
    // The output of the net before scaling, for the side to move.
    virtual int raw(const shogi::Board& board) = 0;
};

class NetEvaluator : public Evaluator {
public:
    NetEvaluator(Network network, int fv_scale) : network_(std::move(network)), fv_scale_(fv_scale) {}

    [[nodiscard]] const Network& network() const { return network_; }
    [[nodiscard]] int fv_scale() const { return fv_scale_; }

    [[nodiscard]] std::unique_ptr<NetEvaluation> start_net() const;
    [[nodiscard]] std::unique_ptr<Evaluation> start() const override { return start_net(); }
    [[nodiscard]] std::string description() const override;

private:
    Network network_;
    int fv_scale_;
};

// `fv_scale` 0 means the default.
base::Result<std::shared_ptr<const NetEvaluator>> make_evaluator(const Parameters& parameters, int fv_scale,
                                                                 const Kernel& kernel);

}  // namespace tsumugi::eval::nnue
