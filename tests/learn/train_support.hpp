// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "eval/material.hpp"
#include "learn/train/batch.hpp"
#include "learn/train/sample.hpp"
#include "support/random_play.hpp"

namespace tsumugi::test {

// Positions of random games, labelled by counting material: the score, and who is ahead as the result.
inline std::vector<learn::Sample> material_samples(std::size_t count, std::uint64_t seed) {
    const auto evaluation = eval::material_evaluator()->start();
    std::vector<learn::Sample> samples;
    for (std::uint64_t game = 0; samples.size() < count; ++game)
        play_random_games(1, 120, seed * 1'000'000 + game, [&](const shogi::Position& position) {
            if (position.in_check() || samples.size() == count) return;
            evaluation->reset(position);
            const int score = evaluation->evaluate(position);
            learn::Sample sample;
            sample.position = *record::to_packed_sfen(position.setup());
            sample.score = static_cast<std::int16_t>(score);
            sample.result = static_cast<std::int8_t>(score > 0 ? 1 : score < 0 ? -1 : 0);
            samples.push_back(sample);
        });
    return samples;
}

inline std::vector<std::uint32_t> in_order(std::size_t count) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

inline eval::nnue::Architecture small_net(eval::nnue::Feature feature, int width = 16, int first = 8, int second = 8) {
    eval::nnue::Architecture architecture;
    architecture.feature = feature;
    architecture.width = width;
    architecture.first = first;
    architecture.second = second;
    return architecture;
}

}  // namespace tsumugi::test
