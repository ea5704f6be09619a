// SPDX-License-Identifier: GPL-3.0-or-later
// Nanoseconds per evaluation along games, update of the accumulators included, for every kernel this machine can run.
// A net file may be named in the environment variable TSUMUGI_NET; otherwise nets with random parameters are used.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "base/random.hpp"
#include "eval/material.hpp"
#include "eval/nnue/evaluator.hpp"
#include "eval/nnue/file.hpp"
#include "eval/nnue/kernel/choice.hpp"
#include "shogi/movegen.hpp"
#include "shogi/position.hpp"

namespace tsumugi {
namespace {

using eval::nnue::Architecture;
using eval::nnue::Parameters;

struct Ply {
    eval::Change change;
    shogi::Board board;
};
struct Game {
    shogi::Board root;
    std::vector<Ply> plies;
};

eval::Change change_of(const shogi::Position& position) {
    return {position.state().move, position.state().moved, position.state().captured};
}

// The move whose result an evaluation likes best, or any move one time in four.
shogi::Move choose(shogi::Position& position, eval::Evaluation& evaluation, const shogi::MoveList& moves,
                   base::Random& random) {
    if (random.chance(0.25)) return moves[random.below(moves.size())];
    shogi::Move best;
    int best_score = std::numeric_limits<int>::max();
    for (const shogi::Move move : moves) {
        position.do_move(move);
        evaluation.push(change_of(position));
        if (const int score = evaluation.evaluate(position); score < best_score) {
            best_score = score;
            best = move;
        }
        evaluation.pop();
        position.undo_move();
    }
    return best;
}

std::vector<Game> play(const eval::Evaluator& evaluator) {
    std::vector<Game> games;
    base::Random random(1);
    const auto evaluation = evaluator.start();
    for (int n = 0; n < 10; ++n) {
        shogi::Position position = shogi::Position::even();
        evaluation->reset(position);
        Game& game = games.emplace_back(Game{position, {}});
        for (int i = 0; i < 120; ++i) {
            shogi::MoveList moves;
            shogi::legal_moves(position, moves);
            if (moves.empty()) break;
            position.do_move(choose(position, *evaluation, moves, random));
            evaluation->push(change_of(position));
            game.plies.push_back({change_of(position), position});
        }
    }
    return games;
}

Parameters random_net(const Architecture& architecture) {
    Parameters net(architecture);
    base::Random random(2);
    const auto fill = [&random](auto& values, int low, int high) {
        for (auto& value : values)
            value = static_cast<std::decay_t<decltype(value)>>(random.between(low, high));
    };
    fill(net.transformer_bias, -30, 60);
    fill(net.transformer_weights, -35, 35);
    for (auto& stack : net.stacks)
        for (auto* layer : {&stack.first, &stack.second, &stack.output}) {
            fill(layer->bias, -2000, 2000);
            fill(layer->weights, -9, 9);
        }
    return net;
}

void run(benchmark::State& state, const eval::Evaluator& evaluator, const std::vector<Game>& games) {
    const auto evaluation = evaluator.start();
    std::int64_t evaluations = 0;
    for (auto _ : state)
        for (const Game& game : games) {
            evaluation->reset(game.root);
            for (const Ply& ply : game.plies) {
                evaluation->push(ply.change);
                benchmark::DoNotOptimize(evaluation->evaluate(ply.board));
            }
            evaluations += static_cast<std::int64_t>(game.plies.size());
        }
    state.SetItemsProcessed(evaluations);
    state.counters["per_evaluation"] =
        benchmark::Counter(static_cast<double>(evaluations), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void add(const Parameters& net) {
    for (const auto* kernel : eval::nnue::usable_kernels(base::Cpu::detect())) {
        const auto evaluator = *eval::nnue::make_evaluator(net, 0, *kernel);
        const std::string name = fmt::format("{}/{}", net.architecture.name(), kernel->name);
        benchmark::RegisterBenchmark(name.c_str(), [evaluator, games = play(*evaluator)](benchmark::State& state) {
            run(state, *evaluator, games);
        });
    }
}

void add_random(eval::nnue::Feature feature, eval::nnue::Shape shape, int width, int first, int second,
                const char* stacks) {
    Architecture a;
    a.feature = feature;
    a.shape = shape;
    a.width = width;
    a.first = first;
    a.second = second;
    a.stacks = eval::nnue::LayerStacks::from_name(stacks);
    add(random_net(a));
}

int register_all() {
    using eval::nnue::Feature;
    using eval::nnue::Shape;
    const auto material = eval::material_evaluator();
    benchmark::RegisterBenchmark(
        "material", [material, games = play(*material)](benchmark::State& state) { run(state, *material, games); });
    if (const char* path = std::getenv("TSUMUGI_NET")) {
        const auto file = base::MappedFile::open(path);
        if (!file) return fmt::print(stderr, "{}\n", file.error().message), 1;
        const auto net = eval::nnue::read_net_file(file->bytes());
        if (!net) return fmt::print(stderr, "{}: {}\n", path, net.error().message), 1;
        add(net->parameters);
        return 0;
    }
    add_random(Feature::kp, Shape::classic, 256, 32, 32, "");
    add_random(Feature::half_kp, Shape::classic, 256, 32, 32, "");
    add_random(Feature::half_ka_hm2, Shape::classic, 256, 32, 32, "");
    add_random(Feature::half_kpe9, Shape::classic, 64, 32, 32, "");
    add_random(Feature::half_ka_hm2, Shape::product, 512, 15, 32, "k3k3");
    return 0;
}

}  // namespace
}  // namespace tsumugi

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (const int status = tsumugi::register_all(); status != 0) return status;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
