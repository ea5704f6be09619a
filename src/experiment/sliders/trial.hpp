// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "eval/evaluation.hpp"
#include "shogi/setup.hpp"
#include "shogi/slider/method.hpp"

namespace tsumugi::experiment::sliders {

// Boards and what is asked about them, the same for every method.
struct Workload {
    struct Query {
        std::uint32_t board;
        shogi::Square square;
    };
    std::vector<shogi::Bitboard> boards;
    std::vector<Query> queries;
};

enum class Task { bishop, rook, lance, toggle };

// What searches came to: the same for every method.
struct EngineWork {
    std::uint64_t nodes = 0;
    std::uint64_t checksum = 0;  // of the moves chosen and their scores
};

// One method, made ready for measuring. Virtual, so that each method is compiled in a file of its own; a call is for
// thousands of attacks.
class Trial {
public:
    virtual ~Trial() = default;

    [[nodiscard]] virtual const char* name() const = 0;
    [[nodiscard]] virtual std::size_t table_bytes() const = 0;
    // Bytes a position keeps about its occupied squares.
    [[nodiscard]] virtual std::size_t state_bytes() const = 0;

    virtual void load(const Workload& workload) = 0;
    // Answers every query once, or (toggle) makes and takes back a change of the queried square. The checksum is the
    // same for all methods that are right.
    virtual std::uint64_t run(Task task) = 0;

    // The setups must be playable.
    virtual void load(std::span<const shogi::Setup> setups) = 0;
    // Plays all legal moves to the given depth in every position loaded; the number of positions reached at the end.
    virtual std::uint64_t perft(int depth) = 0;
    // Searches every position loaded with the whole engine on this method.
    virtual EngineWork search(const std::shared_ptr<const eval::Evaluator>& evaluator, std::uint64_t nodes) = 0;
};

// Defined for the methods of slider::AllMethods, one file each.
template <shogi::slider::Method M>
std::unique_ptr<Trial> make_trial();

// One of each method whose instructions this program was compiled for.
std::vector<std::unique_ptr<Trial>> make_trials();

}  // namespace tsumugi::experiment::sliders
