// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of training, on one thread, and what they are made of. Positions come from random games, in which kings wander
// more than in good ones.
#include <numeric>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/random.hpp"
#include "learn/train/kernel/choice.hpp"
#include "learn/train/trainer.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi {
namespace {

constexpr std::size_t batch_size = 16384;

const std::vector<learn::Sample>& samples() {
    static const std::vector<learn::Sample> all = [] {
        std::vector<learn::Sample> made;
        base::Random random(1);
        while (made.size() < 4 * batch_size) {
            shogi::Position position = shogi::Position::even();
            for (int ply = 0; ply < 150; ++ply) {
                shogi::MoveList moves;
                shogi::legal_moves(position, moves);
                if (moves.empty()) break;
                position.do_move(moves[random.below(moves.size())]);
                if (ply < 8) continue;
                learn::Sample sample;
                sample.position = *record::to_packed_sfen(position.setup());
                sample.score = static_cast<std::int16_t>(random.between(-1000, 1000));
                made.push_back(sample);
            }
        }
        random.shuffle(std::span(made));
        return made;
    }();
    return all;
}

learn::BatchRequest request(std::size_t number, std::vector<std::uint32_t>& order) {
    order.resize(samples().size());
    std::iota(order.begin(), order.end(), 0U);
    const std::size_t at = number % (order.size() / batch_size) * batch_size;
    return {samples(), std::span(order).subspan(at, batch_size), 0.7, 600, 1};
}

void report_rate(benchmark::State& state) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(batch_size));
}

void read_batches(benchmark::State& state, const learn::Plan& plan) {
    learn::Batch batch(plan, batch_size);
    std::vector<std::uint32_t> order;
    std::size_t number = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(batch.read(request(number++, order), 1).ok());
    report_rate(state);
}

void train(benchmark::State& state, const learn::Plan& plan, const learn::Kernel& kernel) {
    auto model = *learn::Model::create(plan, 1);
    auto trainer = *learn::Trainer::create(model, kernel, {}, {}, batch_size, 1);
    learn::Batch batch(plan, batch_size);
    std::vector<std::uint32_t> order;
    std::size_t number = 0;
    for (auto _ : state) {
        if (!batch.read(request(number++, order), 1)) return state.SkipWithError("bad sample");
        benchmark::DoNotOptimize(trainer.step(batch, 1e-4));
    }
    report_rate(state);
}

void add(eval::nnue::Feature feature, int width, bool factorised, const learn::Kernel& kernel) {
    eval::nnue::Architecture architecture;
    architecture.feature = feature;
    architecture.width = width;
    const auto plan = *learn::Plan::make(architecture, learn::KingBuckets::none, factorised);
    const std::string name = fmt::format("{}{}/{}", architecture.name(), factorised ? " factorised" : "", kernel.name);
    benchmark::RegisterBenchmark(("read/" + name).c_str(), [plan](auto& state) {
        read_batches(state, plan);
    })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("step/" + name).c_str(), [plan, &kernel](auto& state) {
        train(state, plan, kernel);
    })->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace tsumugi

int main(int argc, char** argv) {
    using tsumugi::eval::nnue::Feature;
    benchmark::Initialize(&argc, argv);
    for (const tsumugi::learn::Kernel* kernel : tsumugi::learn::usable_kernels(tsumugi::base::Cpu::detect())) {
        tsumugi::add(Feature::kp, 256, false, *kernel);
        tsumugi::add(Feature::kp, 512, false, *kernel);
        tsumugi::add(Feature::half_kp, 256, true, *kernel);
        tsumugi::add(Feature::half_ka_hm2, 256, false, *kernel);
        tsumugi::add(Feature::half_ka_hm2, 256, true, *kernel);
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
