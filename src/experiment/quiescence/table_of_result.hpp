// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiment/output.hpp"
#include "experiment/quiescence/problem.hpp"
#include "experiment/quiescence/study.hpp"
#include "report/chart.hpp"

namespace tsumugi::experiment::quiescence {

// What the findings say, with scores cut off at a limit so that mates do not outweigh everything else.
class Results {
public:
    Results(const Study& study, std::span<const Finding> findings, int score_limit);

    // For every depth; by phase; beside the paper; and of best moves.
    [[nodiscard]] std::vector<NamedTable> tables() const;
    // Deviation against nodes for every depth and phase, and the shares of best moves against progress.
    [[nodiscard]] std::vector<report::Chart> charts() const;

private:
    // What a policy is compared with: full width, or all moves beside standing still. The paper calls its reference
    // full width, but has only as many nodes as the second.
    enum class Reference { full_width, all };

    struct Sums {
        double mean = 0;       // of the difference to the reference
        double error = 0;      // half the 95 % interval of it
        double deviation = 0;  // of the difference
        double nodes = 0;      // a position
    };

    // Of the positions that `wanted` accepts, at a depth from 1.
    template <typename Wanted>
    [[nodiscard]] Sums sums(std::size_t policy, int depth, Reference reference, Wanted&& wanted) const;
    // The place of a policy in the study; past the end if it does not take part.
    [[nodiscard]] std::size_t place_of(search::QuiescencePolicy policy) const;
    [[nodiscard]] bool has(std::size_t place) const { return place < study_.policies.size(); }
    template <typename Wanted>
    [[nodiscard]] double full_width_nodes(int depth, Wanted&& wanted) const;
    [[nodiscard]] NamedTable depth_table(int depth) const;
    [[nodiscard]] NamedTable phase_table() const;
    [[nodiscard]] NamedTable paper_table() const;
    [[nodiscard]] NamedTable best_move_table() const;
    template <typename Wanted>
    [[nodiscard]] report::Chart deviation_chart(std::string title, int depth, Wanted&& wanted) const;
    [[nodiscard]] report::Chart best_move_chart() const;
    [[nodiscard]] int limited(int value) const;

    const Study& study_;
    std::span<const Finding> findings_;
    int score_limit_;
    std::size_t all_;  // the place of All
};

std::vector<NamedTable> problem_tables(const ProblemStudy& study, std::span<const ProblemSet> sets,
                                       const ProblemScores& scores);

}  // namespace tsumugi::experiment::quiescence
