// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <vector>

#include "eval/nnue/evaluator.hpp"
#include "eval/nnue/file.hpp"
#include "eval/nnue/kernel/choice.hpp"
#include "learn/train/kernel/choice.hpp"
#include "learn/train/run.hpp"
#include "learn/train_support.hpp"
#include "support/data.hpp"
#include "support/position.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::learn {
namespace {

using eval::nnue::Feature;

TrainSettings small_settings(const std::filesystem::path& folder, Feature feature = Feature::kp) {
    TrainSettings settings;
    settings.architecture = test::small_net(feature);
    settings.epochs = 4;
    settings.batch = 512;
    settings.schedule.rate = 0.005;
    settings.folder = folder;
    return settings;
}

SampleSet small_set() {
    SampleSet set;
    set.training = test::material_samples(3000, 11);
    set.validation = test::material_samples(300, 12);
    return set;
}

void run(const TrainSettings& settings, const SampleSet& set, std::stop_token stop = {}) {
    const auto run = TrainingRun::open(settings, set);
    ASSERT_TRUE(run.ok()) << run.error().message;
    const auto done = (*run)->run({}, stop);
    ASSERT_TRUE(done.ok()) << done.error().message;
}

std::string net_of(const std::filesystem::path& folder) { return test::read_file(folder / "nn.bin"); }

TEST(TrainingRun, GivesTheSameBytesForTheSameSeedAndAnyThreads) {
    const test::TempFolder folder(test::fast_place());
    const SampleSet set = small_set();
    for (const Feature feature : {Feature::kp, Feature::half_ka_hm2}) {
        std::vector<std::string> nets;
        for (const int threads : {1, 2, 3}) {
            const auto place = folder / (std::to_string(static_cast<int>(feature)) + "-" + std::to_string(threads));
            TrainSettings settings = small_settings(place, feature);
            settings.factorised = feature == Feature::half_ka_hm2;
            settings.threads = threads;
            settings.epochs = 2;
            run(settings, set);
            nets.push_back(net_of(place));
        }
        EXPECT_EQ(nets[0], nets[1]);
        EXPECT_EQ(nets[0], nets[2]);
        TrainSettings other = small_settings(folder / "other", feature);
        other.factorised = feature == Feature::half_ka_hm2;
        other.epochs = 2;
        other.seed = 2;
        run(other, set);
        EXPECT_NE(net_of(folder / "other"), nets[0]);
        std::filesystem::remove_all(folder / "other");
    }
}

TEST(TrainingRun, GoesOnAfterAPauseAsIfThereHadBeenNone) {
    const test::TempFolder folder(test::fast_place());
    const SampleSet set = small_set();
    TrainSettings straight = small_settings(folder / "straight");
    straight.schedule.averaged = 0.6;
    run(straight, set);
    TrainSettings parts = straight;
    parts.folder = folder / "parts";
    parts.pause_after = 2;
    run(parts, set);
    EXPECT_NE(net_of(parts.folder), net_of(straight.folder));
    parts.pause_after = 0;
    run(parts, set);
    EXPECT_EQ(net_of(parts.folder), net_of(straight.folder));
    EXPECT_EQ(test::read_file(parts.folder / "best.bin"), test::read_file(straight.folder / "best.bin"));
}

TEST(TrainingRun, GoesOnAfterAnInterruptionInTheMiddleOfAnEpoch) {
    const test::TempFolder folder(test::fast_place());
    const SampleSet set = small_set();
    const TrainSettings straight = small_settings(folder / "straight");
    run(straight, set);
    TrainSettings parts = straight;
    parts.folder = folder / "parts";
    for (int part = 0; part < 50; ++part) {
        const auto opened = TrainingRun::open(parts, set);
        ASSERT_TRUE(opened.ok()) << opened.error().message;
        if ((*opened)->finished()) break;
        std::stop_source stop;
        int batches = 0;
        TrainObserver observer;
        observer.on_batch = [&](std::size_t, double) {
            if (++batches == 5) stop.request_stop();
        };
        ASSERT_TRUE((*opened)->run(observer, stop.get_token()).ok());
    }
    EXPECT_EQ(net_of(parts.folder), net_of(straight.folder));
    EXPECT_TRUE(std::filesystem::exists(parts.folder / "log.csv"));
    EXPECT_NE(test::read_file(parts.folder / "training.html").find("<svg"), std::string::npos);
}

TEST(TrainingRun, RefusesTheCheckpointOfAnotherRunAndADamagedOne) {
    const test::TempFolder folder(test::fast_place());
    const SampleSet set = small_set();
    TrainSettings settings = small_settings(folder / "run");
    settings.epochs = 1;
    run(settings, set);
    TrainSettings other = settings;
    other.schedule.rate *= 2;
    const auto refused = TrainingRun::open(other, set);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("other settings"), std::string::npos) << refused.error().message;
    other = settings;
    other.architecture.width = 32;
    EXPECT_FALSE(TrainingRun::open(other, set).ok());
    {
        std::fstream file(settings.folder / "checkpoint.bin", std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(5000);
        file.put('!');
    }
    const auto damaged = TrainingRun::open(settings, set);
    ASSERT_FALSE(damaged.ok());
    EXPECT_NE(damaged.error().message.find("damaged"), std::string::npos) << damaged.error().message;
}

TEST(Batch, TakesTheResultOnlyWhereSomebodyPlayedOn) {
    auto samples = test::material_samples(40, 5);
    for (std::size_t i = 0; i < samples.size(); i += 2)
        samples[i].played = 0;
    const auto plan = Plan::make(test::small_net(Feature::kp), KingBuckets::none, false);
    Batch batch(*plan, samples.size());
    ASSERT_TRUE(batch.read({samples, test::in_order(samples.size()), 0.4, 600, 0}, 1).ok());
    for (std::size_t i = 0; i < samples.size(); ++i)
        EXPECT_FLOAT_EQ(batch.targets()[i],
                        static_cast<float>(target_probability(samples[i].score, samples[i].result,
                                                              samples[i].played != 0 ? 0.4 : 1, 600)));
}

TEST(Trainer, LearnsASmallSetByHeart) {
    const auto samples = test::material_samples(300, 21);
    const auto order = test::in_order(samples.size());
    for (const Feature feature : {Feature::kp, Feature::half_ka_hm2}) {
        const auto plan = Plan::make(test::small_net(feature), KingBuckets::none, feature == Feature::half_ka_hm2);
        auto model = Model::create(*plan, 4);
        auto trainer = Trainer::create(*model, learn::best_kernel(), {}, {}, samples.size(), 1);
        Batch batch(model->plan(), samples.size());
        ASSERT_TRUE(batch.read({samples, order, 0.7, 600, 0}, 1).ok());
        const double before = trainer->step(batch, 0.005);
        double after = before;
        for (int i = 0; i < 400; ++i)
            after = trainer->step(batch, 0.005);
        EXPECT_LT(after, 0.02 * before) << eval::nnue::info(feature).name;
    }
}

// What is trained in parts is written in parts, and does not begin with a net that has none.
TEST(TrainingRun, KeepsThePartsOfANetApart) {
    const test::TempFolder folder(test::fast_place());
    const SampleSet set = small_set();
    TrainSettings settings = small_settings(folder / "run");
    settings.architecture = test::small_net(Feature::kp, 64, 32, 16);
    settings.parts = 2;
    settings.epochs = 2;
    run(settings, set);
    const std::string bytes = net_of(folder / "run");
    const auto file = eval::nnue::read_net_file(std::as_bytes(std::span(bytes)));
    ASSERT_TRUE(file.ok()) << file.error().message;
    const auto& net = file->parameters;
    EXPECT_TRUE(eval::nnue::falls_into(net.stacks[0].first, 2));
    EXPECT_FALSE(eval::nnue::falls_into(net.stacks[0].first, 4));

    settings.init = folder / "run/nn.bin";
    settings.folder = folder / "heir";
    EXPECT_TRUE(TrainingRun::open(settings, set).ok());
    settings.architecture.first = 24;
    EXPECT_FALSE(Plan::make(settings.architecture, KingBuckets::none, false, 2).ok()) << "12 neurons fill no register";

    settings = small_settings(folder / "whole");
    settings.architecture = net.architecture;
    settings.epochs = 1;
    run(settings, set);
    settings.init = folder / "whole/nn.bin";
    settings.folder = folder / "cut";
    settings.parts = 2;
    EXPECT_FALSE(TrainingRun::open(settings, set).ok()) << "would lose what connects the parts";
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ab += a[i] * b[i];
        aa += a[i] * a[i];
        bb += b[i] * b[i];
    }
    return ab / std::sqrt(aa * bb);
}

TEST(TrainingRun, LearnsToCountMaterial) {
    const test::TempFolder folder(test::fast_place());
    SampleSet set;
    set.training = test::material_samples(40000, 31);
    set.validation = test::material_samples(2000, 32);
    TrainSettings settings = small_settings(folder / "run");
    settings.architecture.width = 32;
    settings.epochs = 10;
    settings.batch = 256;
    settings.schedule.lambda = settings.schedule.final_lambda = 1;
    settings.loss.score_scale = 1200;
    run(settings, set);
    const std::string bytes = net_of(settings.folder);
    const auto net = eval::nnue::read_net_file(std::as_bytes(std::span(bytes)));
    ASSERT_TRUE(net.ok()) << net.error().message;
    const auto evaluator = eval::nnue::make_evaluator(net->parameters, 0, eval::nnue::best_kernel());
    const auto evaluation = (*evaluator)->start();
    std::vector<double> scores;
    std::vector<double> material;
    for (const Sample& sample : set.validation) {
        const auto position = *shogi::Position::from(*record::from_packed_sfen(sample.position));
        evaluation->reset(position);
        scores.push_back(evaluation->evaluate(position));
        material.push_back(sample.score);
    }
    EXPECT_GT(correlation(scores, material), 0.95);
}

// The output of a net in whole numbers, from the definition in docs/nets.md.
std::int32_t plain_output(const eval::nnue::Parameters& net, const InputShape& shape,
                          const std::array<InputView, 2>& views) {
    const auto width = static_cast<std::size_t>(net.architecture.width);
    std::vector<int> input;
    for (const InputView& view : views)
        for (std::size_t i = 0; i < width; ++i) {
            int sum = net.transformer_bias[i];
            for (std::size_t r = 0; r < shape.active; ++r)
                sum += net.transformer_weights[shape.number(view.block, view.rows[r]) * width + i];
            input.push_back(std::clamp(sum, 0, 127));
        }
    const auto layer = [](const eval::nnue::Layer& each, const std::vector<int>& x) {
        std::vector<int> y;
        for (int o = 0; o < each.outputs; ++o) {
            int sum = each.bias[static_cast<std::size_t>(o)];
            for (int i = 0; i < each.inputs; ++i)
                sum += each.weight(o, i) * x[static_cast<std::size_t>(i)];
            y.push_back(sum);
        }
        return y;
    };
    const auto activated = [](std::vector<int> x) {
        for (int& each : x)
            each = std::clamp(each >> 6, 0, 127);
        return x;
    };
    const auto& stack = net.stacks.front();
    return layer(stack.output, activated(layer(stack.second, activated(layer(stack.first, input))))).front();
}

TEST(TrainingExport, IsEvaluatedByTheEngineExactlyAsTrainingNumbersItsInputs) {
    const auto samples = test::material_samples(200, 41);
    for (const auto& info : eval::nnue::all_features()) {
        const auto plan = Plan::make(test::small_net(info.feature), KingBuckets::none, false);
        ASSERT_TRUE(plan.ok()) << plan.error().message;
        const auto model = Model::create(*plan, 5);
        const auto net = model->quantised();
        const auto evaluator = eval::nnue::make_evaluator(net, 0, eval::nnue::best_kernel());
        const auto evaluation = (*evaluator)->start_net();
        std::vector<std::uint16_t> rows(2 * plan->input.active);
        for (const Sample& sample : samples) {
            const auto setup = *record::from_packed_sfen(sample.position);
            std::array<InputView, 2> views{InputView{0, rows.data()}, InputView{0, rows.data() + plan->input.active}};
            input_reader(info.feature)(setup, false, views[0], views[1]);
            const auto position = *shogi::Position::from(setup);
            evaluation->reset(position);
            ASSERT_EQ(evaluation->raw(position), plain_output(net, plan->input, views)) << info.name;
        }
        const auto handicap = test::position("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
        std::array<InputView, 2> views{InputView{0, rows.data()}, InputView{0, rows.data() + plan->input.active}};
        input_reader(info.feature)(handicap.setup(), false, views[0], views[1]);
        evaluation->reset(handicap);
        EXPECT_EQ(evaluation->raw(handicap), plain_output(net, plan->input, views)) << info.name;
    }
}

TEST(TrainingExport, FoldsCommonRowsAndSharedPlacesIntoTheNet) {
    const auto samples = test::material_samples(100, 51);
    const auto order = test::in_order(samples.size());
    for (const KingBuckets buckets : {KingBuckets::none, KingBuckets::rank, KingBuckets::zone}) {
        const auto plan = Plan::make(test::small_net(Feature::half_ka_hm2), buckets, true);
        auto model = Model::create(*plan, 6);
        auto trainer = Trainer::create(*model, scalar_kernel, {}, {}, 128, 1);
        Batch batch(model->plan(), 128);
        ASSERT_TRUE(batch.read({samples, order, 1, 600, 0}, 1).ok());
        for (int i = 0; i < 20; ++i)
            trainer->step(batch, 0.01);
        const auto outputs = trainer->outputs(batch);
        const auto evaluator = eval::nnue::make_evaluator(model->quantised(), 0, eval::nnue::best_kernel());
        const auto evaluation = (*evaluator)->start_net();
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const auto position = *shogi::Position::from(*record::from_packed_sfen(samples[i].position));
            evaluation->reset(position);
            // Rounding moves the result of so small a net by a few centipawns.
            EXPECT_NEAR(evaluation->raw(position) / 16.0, outputs[i] * score_per_output, 25);
        }
    }
}

TEST(TrainingExport, IsTakenOverByANewRun) {
    for (const auto& [feature, factorised] :
         {std::pair(Feature::half_ka_hm2, false), {Feature::half_ka_hm2, true}, {Feature::half_kpe9, false}}) {
        const auto plan = Plan::make(test::small_net(feature), KingBuckets::none, factorised);
        const auto model = Model::create(*plan, 6);
        const auto net = model->quantised();
        auto other = Model::create(*plan, 7);
        EXPECT_NE(other->quantised(), net);
        other->assign(net);
        EXPECT_EQ(other->quantised(), net);
    }
}

TEST(TrainingRun, StartsFromASmallerNetWithoutLosingWhatItKnows) {
    const test::TempFolder folder(test::fast_place());
    SampleSet set = small_set();
    TrainSettings settings = small_settings(folder / "small");
    settings.epochs = 8;
    run(settings, set);
    const auto loss_after = [&](TrainSettings changed, std::string_view name) {
        changed.architecture.feature = Feature::half_ka_hm2;
        changed.factorised = true;
        changed.folder = folder / name;
        changed.epochs = 1;
        changed.schedule.rate = changed.schedule.final_rate = 1e-5;
        const auto opened = TrainingRun::open(changed, set);
        EXPECT_TRUE(opened.ok()) << opened.error().message;
        EXPECT_TRUE((*opened)->run({}, {}).ok());
        return (*opened)->epochs().back().training_loss;
    };
    TrainSettings warm = settings;
    warm.init = settings.folder / "nn.bin";
    EXPECT_LT(loss_after(warm, "warm"), 0.5 * loss_after(settings, "cold"));
    // A checkpoint serves for the same kind of net, and for no other.
    warm.folder = folder / "again";
    warm.init = settings.folder / "checkpoint.bin";
    EXPECT_TRUE(TrainingRun::open(warm, set).ok());
    warm.architecture.feature = Feature::half_kp;
    EXPECT_FALSE(TrainingRun::open(warm, set).ok());
}

TEST(TrainingInput, MirrorsAPositionWhenAsked) {
    for (const auto& info : eval::nnue::all_features()) {
        const InputShape shape = input_shape(info.feature);
        for (const Sample& sample : test::material_samples(50, 61)) {
            const auto setup = *record::from_packed_sfen(sample.position);
            shogi::Setup mirrored = setup;
            for (int i = 0; i < shogi::Square::count; ++i)
                mirrored.put(shogi::Square::from_index(i).mirrored(), setup.at(shogi::Square::from_index(i)));
            const auto rows_of = [&](const shogi::Setup& position, bool mirror) {
                std::vector<std::uint16_t> rows(2 * shape.active);
                InputView own{0, rows.data()};
                InputView other{0, rows.data() + shape.active};
                input_reader(info.feature)(position, mirror, own, other);
                std::sort(own.rows, own.rows + shape.active);
                std::sort(other.rows, other.rows + shape.active);
                rows.push_back(own.block);
                rows.push_back(other.block);
                return rows;
            };
            EXPECT_EQ(rows_of(setup, true), rows_of(mirrored, false)) << info.name;
        }
    }
}

}  // namespace
}  // namespace tsumugi::learn
