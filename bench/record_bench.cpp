// SPDX-License-Identifier: GPL-3.0-or-later
// Nanoseconds for the elementary operations on positions, averaged over positions of random games, and for packing
// them.
#include <benchmark/benchmark.h>

#include <vector>

#include "base/random.hpp"
#include "record/hcp.hpp"
#include "record/packed_sfen.hpp"
#include "shogi/mate_one.hpp"
#include "shogi/see.hpp"

namespace tsumugi {
namespace {

using shogi::Move;
using shogi::MoveList;
using shogi::Position;

struct Sample {
    Position position;
    std::vector<Move> moves;
};

// Every seventh position of random games, with its legal moves.
const std::vector<Sample>& samples() {
    static const std::vector<Sample> all = [] {
        std::vector<Sample> found;
        base::Random random(11);
        while (found.size() < 500) {
            Position position = Position::even();
            for (int ply = 0; ply < 200; ++ply) {
                MoveList moves;
                shogi::legal_moves(position, moves);
                if (moves.empty()) break;
                if (ply % 7 == 0) found.push_back({position, {moves.begin(), moves.end()}});
                position.do_move(moves[random.below(moves.size())]);
            }
        }
        return found;
    }();
    return all;
}

// Runs f(Sample, Move) over all moves of all samples; one iteration is one move.
template <typename F>
void over_moves(benchmark::State& state, F f) {
    auto copies = samples();
    std::size_t count = 0;
    for (const Sample& sample : copies)
        count += sample.moves.size();
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(count)))
        for (Sample& sample : copies)
            for (const Move move : sample.moves)
                f(sample.position, move);
}

// Runs f(Position) over all samples; one iteration is one position.
template <typename F>
void over_positions(benchmark::State& state, F f) {
    const auto& all = samples();
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(all.size())))
        for (const Sample& sample : all)
            f(sample.position);
}

void do_and_undo(benchmark::State& state) {
    over_moves(state, [](Position& p, Move m) {
        p.do_move(m);
        benchmark::DoNotOptimize(p.key());
        p.undo_move();
    });
}
BENCHMARK(do_and_undo);

void legality(benchmark::State& state) {
    over_moves(state, [](Position& p, Move m) { benchmark::DoNotOptimize(p.is_legal(m)); });
}
BENCHMARK(legality);

void gives_check(benchmark::State& state) {
    over_moves(state, [](Position& p, Move m) { benchmark::DoNotOptimize(p.gives_check(m)); });
}
BENCHMARK(gives_check);

void exchange(benchmark::State& state) {
    over_moves(state, [](Position& p, Move m) { benchmark::DoNotOptimize(shogi::exchange_gains(p, m, 0)); });
}
BENCHMARK(exchange);

void list_legal_moves(benchmark::State& state) {
    over_positions(state, [](const Position& p) {
        MoveList moves;
        shogi::legal_moves(p, moves);
        benchmark::DoNotOptimize(moves.size());
    });
}
BENCHMARK(list_legal_moves);

void count_legal_moves(benchmark::State& state) {
    over_positions(state, [](const Position& p) { benchmark::DoNotOptimize(shogi::count_legal_moves(p)); });
}
BENCHMARK(count_legal_moves);

void mate_in_one(benchmark::State& state) {
    over_positions(state, [](const Position& p) { benchmark::DoNotOptimize(shogi::mate_in_one(p)); });
}
BENCHMARK(mate_in_one);

void pack_sfen(benchmark::State& state) {
    over_positions(state, [](const Position& p) { benchmark::DoNotOptimize(record::to_packed_sfen(p.setup()).ok()); });
}
BENCHMARK(pack_sfen);

void unpack_sfen(benchmark::State& state) {
    std::vector<record::PackedSfen> packed;
    for (const Sample& sample : samples())
        packed.push_back(*record::to_packed_sfen(sample.position.setup()));
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(packed.size())))
        for (const auto& each : packed)
            benchmark::DoNotOptimize(record::from_packed_sfen(each).ok());
}
BENCHMARK(unpack_sfen);

}  // namespace
}  // namespace tsumugi

BENCHMARK_MAIN();
