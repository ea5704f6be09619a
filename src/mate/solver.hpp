// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "base/result.hpp"
#include "mate/budget.hpp"
#include "mate/number.hpp"
#include "mate/search.hpp"
#include "mate/table.hpp"
#include "mate/verifier.hpp"
#include "shogi/position.hpp"

namespace tsumugi::mate {

enum class Outcome {
    mate,     // shown and checked
    no_mate,  // shown that no sequence of checks mates (within the limit on plies, if there was one)
    unknown,  // the limits were reached first
};

struct Verdict {
    Outcome outcome = Outcome::unknown;
    std::vector<shogi::Move> line;  // of a mate: the defender holds out longest, the attacker follows the proof
    bool shortest = false;          // is there no shorter mate?
    std::uint64_t nodes = 0;
    std::size_t checked = 0;  // positions of the proof that were verified

    [[nodiscard]] Plies length() const { return static_cast<Plies>(line.size()); }
};

struct SolverSettings {
    std::size_t mebibytes = 256;
    int threads = 1;

    bool operator==(const SolverSettings&) const = default;
};

// Finds mates by checks alone. It may be asked again and again; problems do not influence each other.
class Solver {
public:
    static base::Result<Solver> create(const SolverSettings& settings);

    // Does `attacker` mate, whoever is to move? A defender to move must be in check. With a limit on the plies
    // only mates at most that long count.
    Verdict solve(const shogi::Position& position, shogi::Color attacker, const Limits& limits = {},
                  const std::stop_token& stop = {}, Plies plies = unlimited);
    // The same, and then whether a shorter mate exists, until none does.
    Verdict solve_shortest(const shogi::Position& position, shogi::Color attacker, const Limits& limits = {},
                           const std::stop_token& stop = {}, Counting counting = Counting::every_move,
                           Plies plies = unlimited);

    // Share of the memory in use, in thousandths.
    [[nodiscard]] int permille_used() const { return table_->permille_used(); }

private:
    explicit Solver(std::unique_ptr<Table> table) : table_(std::move(table)) {}

    // What is asked, and what there is to spend on it.
    struct Task {
        const shogi::Position& position;
        shogi::Color attacker;
        Counting counting;
        Budget& budget;
    };

    Verdict attempt(const Task& task, Plies plies);
    void new_problem();
    // Until it is settled or the budget is spent; the table grows meanwhile.
    Numbers search(const Task& task, Plies plies);
    Numbers search_once(const Task& task, Plies plies);
    // Writes a mate of one or three plies into the verdict, if there is one.
    static bool solve_quickly(const Task& task, Plies plies, Verdict& verdict);
    void verify_with_table(const Task& task, Plies plies, Verdict& verdict);
    // Writes the mate into the verdict if the guide can show it to the verifier.
    static bool confirm(const Task& task, const Guide& guide, Plies plies, Verdict& verdict);

    std::unique_ptr<Table> table_;
    std::vector<std::unique_ptr<Search>> searches_;
};

}  // namespace tsumugi::mate
