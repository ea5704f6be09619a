// SPDX-License-Identifier: GPL-3.0-or-later
// Nanoseconds per attack of every slider method, each attack depending on the one before: the time until the answer is
// there. The slider experiment measures how many fit into a second.
#include <benchmark/benchmark.h>

#include <array>
#include <string>

#include "base/random.hpp"
#include "shogi/slider/all.hpp"

namespace tsumugi::shogi {
namespace {

constexpr std::size_t board_count = 64;

template <slider::Method M>
std::array<typename M::Occupied, board_count> random_boards() {
    base::Random random(7);
    std::array<typename M::Occupied, board_count> boards;
    for (auto& board : boards)
        for (int i = 0; i < Square::count; ++i)
            if (random.chance(0.45)) board.toggle(Square::from_index(i));
    return boards;
}

// Any answer chooses the next square and board.
template <slider::Method M, typename F>
void chase(benchmark::State& state, F attack) {
    const auto boards = random_boards<M>();
    std::uint64_t number = 1;
    for (auto _ : state) {
        const auto s = Square::from_index(static_cast<int>((number >> 32) % Square::count));
        const Bitboard reached = attack(s, boards[(number >> 40) % board_count]);
        number = (number ^ reached.low() ^ reached.high()) * 0x9e3779b97f4a7c15;
    }
    benchmark::DoNotOptimize(number);
}

template <slider::Method M>
void add_benchmarks() {
    using Occupied = typename M::Occupied;
    const std::string name = M::name;
    benchmark::RegisterBenchmark((name + "/bishop").c_str(), [](benchmark::State& state) {
        chase<M>(state, [](Square s, const Occupied& o) { return M::bishop(s, o); });
    });
    benchmark::RegisterBenchmark((name + "/rook").c_str(), [](benchmark::State& state) {
        chase<M>(state, [](Square s, const Occupied& o) { return M::rook(s, o); });
    });
    benchmark::RegisterBenchmark((name + "/lance").c_str(), [](benchmark::State& state) {
        chase<M>(state, [](Square s, const Occupied& o) { return M::template lance<Color::black>(s, o); });
    });
}

}  // namespace
}  // namespace tsumugi::shogi

int main(int argc, char** argv) {
    tsumugi::shogi::slider::AllMethods::for_each([]<typename M>() {
        if constexpr (tsumugi::shogi::slider::is_native<M>) tsumugi::shogi::add_benchmarks<M>();
    });
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
