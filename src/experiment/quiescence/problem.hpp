// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "base/result.hpp"
#include "eval/evaluation.hpp"
#include "search/quiescence_policy.hpp"
#include "shogi/position.hpp"
#include "think/limits.hpp"

namespace tsumugi::experiment::quiescence {

struct Problem {
    shogi::Position position;
    shogi::Move answer;
};

struct ProblemSet {
    std::string name;
    std::vector<Problem> problems;
};

// A table with tabs between the columns, of which the second is an SFEN and the third the answer as USI writes it.
// Lines that begin with # are skipped.
base::Result<ProblemSet> read_problems(const std::filesystem::path& path);

// Searches of the engine with every policy for its quiescence.
struct ProblemStudy {
    std::vector<search::QuiescencePolicy> policies;
    std::vector<think::Limits> limits;
    std::shared_ptr<const eval::Evaluator> evaluator;
};

struct ProblemScore {
    std::size_t solved = 0;
    std::uint64_t nodes = 0;
};

// By limits, policy and set. Progress counts searches.
using ProblemScores = std::vector<std::vector<std::vector<ProblemScore>>>;
base::Result<ProblemScores> study_problems(const ProblemStudy& study, std::span<const ProblemSet> sets,
                                           base::Progress& progress, const std::stop_token& stop);

}  // namespace tsumugi::experiment::quiescence
