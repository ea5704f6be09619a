// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/nnue/evaluator.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "eval/nnue/accumulator.hpp"

namespace tsumugi::eval::nnue {

std::unique_ptr<NetEvaluation> NetEvaluator::start_net() const {
    switch (network_.architecture().feature) {
        case Feature::p: return std::make_unique<SetEvaluation<P>>(*this);
        case Feature::kp: return std::make_unique<SetEvaluation<KP>>(*this);
        case Feature::kp_hm: return std::make_unique<SetEvaluation<KPhm>>(*this);
        case Feature::ka2: return std::make_unique<SetEvaluation<KA2>>(*this);
        case Feature::half_kp: return std::make_unique<SetEvaluation<HalfKP>>(*this);
        case Feature::half_kp_vm: return std::make_unique<SetEvaluation<HalfKPvm>>(*this);
        case Feature::half_kpe9: return std::make_unique<SetEvaluation<HalfKPE9>>(*this);
        case Feature::half_kpk_file: return std::make_unique<SetEvaluation<HalfKPKfile>>(*this);
        case Feature::half_kpk_rank: return std::make_unique<SetEvaluation<HalfKPKrank>>(*this);
        case Feature::half_ka1: return std::make_unique<SetEvaluation<HalfKA1>>(*this);
        case Feature::half_ka2: return std::make_unique<SetEvaluation<HalfKA2>>(*this);
        case Feature::half_ka_hm1: return std::make_unique<SetEvaluation<HalfKAhm1>>(*this);
        case Feature::half_ka_hm2: return std::make_unique<SetEvaluation<HalfKAhm2>>(*this);
    }
    std::abort();  // unreachable: the switch names every value
}

std::string NetEvaluator::description() const {
    return fmt::format("NNUE {}, FV_SCALE {}, {} kernel", network_.architecture().name(), fv_scale_,
                       network_.kernel().name);
}

base::Result<std::shared_ptr<const NetEvaluator>> make_evaluator(const Parameters& parameters, int fv_scale,
                                                                 const Kernel& kernel) {
    auto network = Network::build(parameters, kernel);
    if (!network) return network.error();
    return std::make_shared<const NetEvaluator>(std::move(*network), fv_scale == 0 ? default_fv_scale : fv_scale);
}

}  // namespace tsumugi::eval::nnue
