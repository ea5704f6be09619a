// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "eval/evaluation.hpp"
#include "experiment/game_position.hpp"
#include "experiment/tables/contender.hpp"
#include "think/limits.hpp"

namespace tsumugi::experiment::tables {

// What ends a search.
struct Condition {
    enum class Kind { time, iterations, nodes };

    Kind kind;
    std::uint64_t amount;  // of milliseconds, depth or nodes

    [[nodiscard]] think::Limits limits() const;
    // "50 ms", "10 iterations", "20000 nodes".
    [[nodiscard]] std::string text() const;
};

struct Measurement {
    double depth = 0;  // of the longest line
    double iterations = 0;
    double nodes = 0;
    double milliseconds = 0;  // of the processor
};

// Who searches: a contender whose single tables have so much memory. Unless he comes cold he has searched the
// position two plies earlier in the same way.
struct Subject {
    Contender contender;
    std::size_t kibibytes;
    bool cold = false;
};

struct PositionStudy {
    std::vector<Condition> conditions;
    std::vector<Subject> subjects;
    std::shared_ptr<const eval::Evaluator> evaluator;
};

// By condition, subject and position. Subjects take turns at every position.
using Measurements = std::vector<std::vector<std::vector<Measurement>>>;
base::Result<Measurements> study_positions(const PositionStudy& study, std::span<const TestPosition> positions,
                                           base::Progress& progress, const std::stop_token& stop);

}  // namespace tsumugi::experiment::tables
