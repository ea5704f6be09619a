// SPDX-License-Identifier: GPL-3.0-or-later
// The gradients of training against differences of the loss, computed in double precision by a plain reading of the
// definition of the net.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "learn/train/kernel/choice.hpp"
#include "learn/train/trainer.hpp"
#include "learn/train_support.hpp"

namespace tsumugi::learn {
namespace {

using eval::nnue::Feature;

constexpr std::size_t positions = 150;

// A net in double precision with the parameters of a model.
class PlainNet {
public:
    PlainNet(const Model& model, const std::vector<Sample>& samples) : plan_(model.plan()), samples_(samples) {
        for (const Group& group : model.groups())
            parts.emplace_back(group.value.view().begin(), group.value.view().end());
    }

    [[nodiscard]] double output(const Sample& sample) const {
        std::vector<std::uint16_t> rows(2 * plan_.input.active);
        std::array<InputView, 2> views{InputView{0, rows.data()}, InputView{0, rows.data() + plan_.input.active}};
        input_reader(plan_.architecture.feature)(*record::from_packed_sfen(sample.position), false, views[0], views[1]);
        std::vector<double> hidden(parts[Model::first_bias]);
        for (std::size_t slice = 0; slice < plan_.slices; ++slice)
            for (std::size_t side = 0; side < 2; ++side)
                for (std::size_t c = 0; c < plan_.columns; ++c) {
                    const double x = accumulator(views[side], slice, c);
                    for (std::size_t o = 0; o < plan_.first; ++o)
                        hidden[o] +=
                            x * parts[Model::first][((2 * slice + side) * plan_.first + o) * plan_.columns + c];
                }
        double sum = parts[Model::output_bias][0];
        for (std::size_t o = 0; o < plan_.second; ++o) {
            double z = parts[Model::second_bias][o];
            for (std::size_t i = 0; i < plan_.first; ++i)
                z += std::clamp(hidden[i], 0.0, 1.0) * parts[Model::second][o * plan_.first + i];
            sum += std::clamp(z, 0.0, 1.0) * parts[Model::output][o];
        }
        return sum;
    }

    [[nodiscard]] double loss(const LossSettings& settings) const {
        double sum = 0;
        for (const Sample& sample : samples_) {
            const double target = target_probability(sample.score, sample.result, 0.7, settings.score_scale);
            sum += loss_at(output(sample), static_cast<double>(static_cast<float>(target)), settings).value;
        }
        return sum / static_cast<double>(samples_.size());
    }

    std::vector<std::vector<double>> parts;

private:
    [[nodiscard]] double accumulator(const InputView& view, std::size_t slice, std::size_t c) const {
        const std::size_t stride = plan_.input.stride;
        const std::size_t bucket = plan_.buckets.bucket_of[view.block];
        double sum = parts[Model::transformer_bias][slice * plan_.columns + c];
        for (std::size_t i = 0; i < plan_.input.active; ++i) {
            sum +=
                parts[Model::transformer][(slice * plan_.rows() + bucket * stride + view.rows[i]) * plan_.columns + c];
            if (plan_.factorised) sum += parts[Model::shared][(slice * stride + view.rows[i]) * plan_.columns + c];
        }
        return std::clamp(sum, 0.0, 1.0);
    }

    const Plan& plan_;
    const std::vector<Sample>& samples_;
};

struct Setting {
    Feature feature;
    KingBuckets buckets;
    bool factorised;
    bool cross_entropy;
    std::size_t parts = 1;
};

void check_gradients(const Setting& setting, const Kernel& kernel) {
    const auto samples = test::material_samples(positions, 5);
    const auto plan = Plan::make(test::small_net(setting.feature, 48 * static_cast<int>(setting.parts),
                                                 setting.parts == 1 ? 8 : 16 * static_cast<int>(setting.parts)),
                                 setting.buckets, setting.factorised, setting.parts);
    ASSERT_TRUE(plan.ok()) << plan.error().message;
    auto model = Model::create(*plan, 3);
    ASSERT_TRUE(model.ok());
    LossSettings loss;
    loss.cross_entropy = setting.cross_entropy;
    PlainNet plain(*model, samples);
    auto trainer = Trainer::create(*model, kernel, loss, {}, 256, 1);
    ASSERT_TRUE(trainer.ok());
    Batch batch(model->plan(), 256);
    const auto order = test::in_order(samples.size());
    ASSERT_TRUE(batch.read({samples, order, 0.7, loss.score_scale, 0}, 1).ok());
    const auto outputs = trainer->outputs(batch);
    for (std::size_t i = 0; i < samples.size(); ++i)
        ASSERT_NEAR(outputs[i], plain.output(samples[i]), 1e-5);
    const double before = trainer->step(batch, 1e-3) / positions;
    EXPECT_NEAR(before, plain.loss(loss), 1e-6);

    base::Random random(7);
    for (std::size_t part = 0; part < Model::parts; ++part) {
        const Group& group = model->groups()[part];
        // The first step leaves a tenth of the gradient in the mean. Parameters with a gradient are looked at: of the
        // big tables most have none.
        std::vector<std::size_t> moved;
        for (std::size_t i = 0; i < group.size(); ++i)
            if (group.mean[i] != 0) moved.push_back(i);
        EXPECT_EQ(moved.empty(), group.size() == 0) << "part " << part;
        random.shuffle(std::span(moved));
        moved.resize(std::min<std::size_t>(moved.size(), 12));
        for (const std::size_t i : moved) {
            double& parameter = plain.parts[part][i];
            const double value = parameter;
            constexpr double step = 1e-5;
            parameter = value + step;
            const double above = plain.loss(loss);
            parameter = value - step;
            const double below = plain.loss(loss);
            parameter = value;
            const double expected = (above - below) / (2 * step);
            EXPECT_NEAR(group.mean[i] * 10, expected, 1e-3 * std::abs(expected) + 2e-6)
                << "part " << part << " number " << i << " kernel " << kernel.name;
        }
    }
}

TEST(TrainGradient, AgreesWithDifferencesOfTheLossForEveryKindOfNet) {
    for (const Setting& setting : {Setting{Feature::kp, KingBuckets::none, false, false},
                                   Setting{Feature::kp, KingBuckets::none, false, false, 2},
                                   Setting{Feature::half_kp, KingBuckets::none, true, false},
                                   Setting{Feature::half_ka_hm2, KingBuckets::none, true, true},
                                   Setting{Feature::half_ka_hm2, KingBuckets::none, false, false},
                                   Setting{Feature::half_ka_hm2, KingBuckets::zone, true, false}})
        check_gradients(setting, best_kernel());
}

TEST(TrainGradient, AgreesForEveryKernel) {
    for (const Kernel* kernel : usable_kernels(base::Cpu::detect()))
        check_gradients({Feature::kp, KingBuckets::none, false, false}, *kernel);
}

TEST(TrainLoss, SlopeAgreesWithDifferences) {
    for (const bool cross_entropy : {false, true})
        for (const double target : {0.0, 0.3, 1.0})
            for (const double output : {-2.0, -0.1, 0.4, 3.0}) {
                const LossSettings settings{500, cross_entropy, 2.3};
                const double step = 1e-6;
                const double slope =
                    (loss_at(output + step, target, settings).value - loss_at(output - step, target, settings).value) /
                    (2 * step);
                EXPECT_NEAR(loss_at(output, target, settings).slope, slope, 1e-6);
            }
}

}  // namespace
}  // namespace tsumugi::learn
