// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/mate_problem.hpp"
#include "base/result.hpp"
#include "mate/solver.hpp"
#include "report/table.hpp"

namespace tsumugi::app {

// How to attack a problem, alone or among others.
struct MateTask {
    mate::SolverSettings solver;
    double seconds = 0;       // for each problem; 0 for no limit
    std::uint64_t nodes = 0;  // the same
    mate::Plies plies = mate::unlimited;
    bool shortest = false;
    bool defender_first = false;
    mate::Counting counting = mate::Counting::without_futile;

    [[nodiscard]] mate::Limits limits() const;
};

// Who attacks: the side to move, unless it was said otherwise or only the side to move has a king.
base::Result<shogi::Color> attacker_of(const shogi::Position& position, bool defender_first);

base::Result<mate::Verdict> solve(mate::Solver& solver, const shogi::Position& position, const MateTask& task,
                                  const std::stop_token& stop);

struct MateRow {
    std::string name;
    std::string outcome;  // mate, nomate, unknown, or what is wrong with the problem
    int plies = 0;
    bool shortest = false;
    std::uint64_t nodes = 0;
    double seconds = 0;
    std::string line;
};

// Solves all problems, `jobs` at a time, each by solvers of their own. Rows that the results file holds from an
// earlier run are not solved again; new ones are added to it as they come, so that an interrupted run goes on.
base::Result<std::vector<MateRow>> solve_all(const std::vector<MateProblem>& problems, const MateTask& task, int jobs,
                                             const std::filesystem::path& results, const std::stop_token& stop);

// Outcomes, times and nodes of all rows.
report::Table summary_of(const std::vector<MateRow>& rows);

std::string usi_line(const std::vector<shogi::Move>& line);

}  // namespace tsumugi::app
