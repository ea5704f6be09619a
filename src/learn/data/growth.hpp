// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "eval/evaluation.hpp"
#include "learn/data/flow.hpp"

namespace tsumugi::learn::data {

// What all ways to make positions out of others need to know.
struct GrowthSettings {
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;  // .psv or .hcpe
    bool overwrite = false;
    int max_score = 3000;  // what is worth more for either side is left out
    std::string net;       // empty for the built-in one
    int fv_scale = 0;      // 0 for the usual one
    std::uint64_t seed = 1;
    int workers = 1;
};

struct GrowthReport {
    FlowReport read;
    std::uint64_t written = 0;
};

// Makes positions out of others. One worker has it for itself.
class Grower {
public:
    Grower() = default;
    virtual ~Grower() = default;
    Grower(const Grower&) = delete;
    Grower& operator=(const Grower&) = delete;

    // Adds what grows from positions that follow each other in the inputs; `first` is the number of the first of
    // them. Nothing that was seen before may matter, or the outcome would depend on the number of workers.
    virtual void grow(std::span<const record::PackedSfenValue> positions, std::uint64_t first,
                      std::vector<record::PackedSfenValue>& grown) = 0;
};

using MakeGrower = std::function<std::unique_ptr<Grower>(const std::shared_ptr<const eval::Evaluator>& evaluator)>;

// Lets positions grow from all scored ones of the inputs and writes them in their order. Nobody played on from there:
// the result is that of a draw, and training must not weigh it.
base::Result<GrowthReport> grow_positions(const GrowthSettings& settings, const MakeGrower& make_grower,
                                          const Monitor& monitor);

// With its score but without a move; nothing for what is worth too much or cannot be packed.
void add_grown(std::vector<record::PackedSfenValue>& grown, const shogi::Board& board, int score, int max_score);

}  // namespace tsumugi::learn::data
