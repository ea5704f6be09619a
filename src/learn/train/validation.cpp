// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/train/validation.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "base/thread.hpp"
#include "eval/nnue/evaluator.hpp"
#include "eval/nnue/kernel/choice.hpp"
#include "shogi/position.hpp"

namespace tsumugi::learn {
namespace {

constexpr std::size_t part_size = 1024;

// Sums over one part; parts are put together in their order, so that threads do not change the rounding.
struct Sums {
    double loss = 0;
    double hits = 0;
    std::size_t decided = 0;
    std::optional<base::Error> problem;
};

Sums measure(eval::nnue::NetEvaluation& evaluation, std::span<const Sample> samples, double lambda,
             const LossSettings& settings) {
    Sums sums;
    for (const Sample& sample : samples) {
        const auto setup = record::from_packed_sfen(sample.position);
        if (!setup) return sums.problem = setup.error(), sums;
        const auto position = shogi::Position::from(*setup);
        if (!position) return sums.problem = position.error(), sums;
        evaluation.reset(*position);
        const int raw = evaluation.raw(*position);
        const double output = raw / (score_per_output * eval::nnue::default_fv_scale);
        const double target =
            target_probability(sample.score, sample.result, sample.played != 0 ? lambda : 1, settings.score_scale);
        sums.loss += loss_at(output, target, settings).value;
        if (sample.result == 0) continue;
        ++sums.decided;
        sums.hits += raw == 0 ? 0.5 : (raw > 0) == (sample.result > 0) ? 1 : 0;
    }
    return sums;
}

}  // namespace

base::Result<Validation> validate(const eval::nnue::Parameters& net, std::span<const Sample> samples, double lambda,
                                  const LossSettings& loss, int threads) {
    const auto evaluator = eval::nnue::make_evaluator(net, 0, eval::nnue::best_kernel());
    if (!evaluator) return evaluator.error();
    std::vector<std::unique_ptr<eval::nnue::NetEvaluation>> evaluations;
    for (int i = 0; i < threads; ++i)
        evaluations.push_back((*evaluator)->start_net());
    std::vector<Sums> parts((samples.size() + part_size - 1) / part_size);
    base::parallel_for(parts.size(), threads, [&](std::size_t i, int worker) {
        const std::size_t at = i * part_size;
        parts[i] = measure(*evaluations[static_cast<std::size_t>(worker)],
                           samples.subspan(at, std::min(part_size, samples.size() - at)), lambda, loss);
    });
    Sums all;
    for (const Sums& part : parts) {
        if (part.problem) return part.problem->in("validation");
        all.loss += part.loss;
        all.hits += part.hits;
        all.decided += part.decided;
    }
    Validation result;
    if (!samples.empty()) result.loss = all.loss / static_cast<double>(samples.size());
    if (all.decided > 0) result.accuracy = all.hits / static_cast<double>(all.decided);
    return result;
}

}  // namespace tsumugi::learn
