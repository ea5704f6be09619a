// SPDX-License-Identifier: GPL-3.0-or-later
#include "mate/solver.hpp"

#include <thread>

#include "mate/quick.hpp"
#include "shogi/mate_one.hpp"

namespace tsumugi::mate {

using shogi::Color;
using shogi::Position;

base::Result<Solver> Solver::create(const SolverSettings& settings) {
    constexpr std::size_t share_of_loops = 16;
    const std::size_t bytes = settings.mebibytes << 20;
    auto table = Table::create(bytes - bytes / share_of_loops);
    if (!table) return table.error();
    Solver solver(std::make_unique<Table>(std::move(*table)));
    for (int i = 0; i < settings.threads; ++i) {
        auto loops = LoopTable::create(bytes / share_of_loops / static_cast<std::size_t>(settings.threads));
        if (!loops) return loops.error();
        solver.searches_.push_back(std::make_unique<Search>(*solver.table_, std::move(*loops), i));
    }
    return solver;
}

void Solver::new_problem() {
    table_->new_problem();
    for (const auto& each : searches_)
        each->new_problem();
}

Numbers Solver::search(const Task& task, Plies plies) {
    while (true) {
        const Numbers result = search_once(task, plies);
        if (result.settled() || !task.budget.spend(0) || !table_->crowded()) return result;
        table_->grow();
        for (const auto& each : searches_)
            each->grow();
    }
}

Numbers Solver::search_once(const Task& task, Plies plies) {
    std::vector<Numbers> results(searches_.size());
    const auto work = [&](std::size_t i) {
        results[i] = searches_[i]->run(task.position, task.attacker, plies, task.counting, task.budget);
        if (results[i].settled()) task.budget.finish();
    };
    {
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < searches_.size(); ++i)
            helpers.emplace_back(work, i);
        work(0);
    }
    for (const Numbers& result : results)
        if (result.settled()) return result;
    return {};
}

bool Solver::confirm(const Task& task, const Guide& guide, Plies plies, Verdict& verdict) {
    Verifier verifier(task.attacker, guide, task.counting);
    const bool shown = verifier.verify(task.position, plies);
    verdict.checked = verifier.checked();
    if (!shown) return false;
    verdict.outcome = Outcome::mate;
    verdict.line = verifier.line(task.position);
    return true;
}

bool Solver::solve_quickly(const Task& task, Plies plies, Verdict& verdict) {
    if (task.position.side_to_move() != task.attacker || plies < quick_plies) return false;
    std::uint64_t nodes = 0;
    const auto first = quick_mate(task.position, nodes);
    if (!task.budget.spend(nodes) || !first) return false;
    const Guide guide = [&](const Position& p, Plies limit) {
        return limit >= first->length ? first : Claim{shogi::mate_in_one(p), 1};
    };
    return confirm(task, guide, first->length, verdict);
}

void Solver::verify_with_table(const Task& task, Plies plies, Verdict& verdict) {
    const auto find = [&](const Position& p, Plies limit) {
        return table_->find(p.board_key(), p.hand(task.attacker), limit);
    };
    const Guide guide = [&](const Position& p, Plies limit) -> std::optional<Claim> {
        Knowledge known = find(p, limit);
        // What the table had to give up is searched for again.
        for (int attempt = 0; !known.numbers.proven() && attempt < 2; ++attempt) {
            task.budget.renew();
            search({p, task.attacker, task.counting, task.budget}, limit);
            known = find(p, limit);
        }
        if (!known.numbers.proven()) return std::nullopt;
        return Claim{known.move, known.length};
    };
    confirm(task, guide, plies, verdict);
}

Verdict Solver::attempt(const Task& task, Plies plies) {
    Verdict verdict;
    task.budget.renew();
    const Numbers result = search(task, plies);
    if (result.disproven()) verdict.outcome = Outcome::no_mate;
    if (!result.proven()) return verdict;
    const Position& p = task.position;
    const Plies found = table_->find(p.board_key(), p.hand(task.attacker), plies).length;
    verify_with_table(task, std::max(found, 1), verdict);
    return verdict;
}

Verdict Solver::solve(const Position& position, Color attacker, const Limits& limits, const std::stop_token& stop,
                      Plies plies) {
    Budget budget(limits, stop);
    const Task task{position, attacker, Counting::every_move, budget};
    Verdict verdict;
    if (!solve_quickly(task, plies, verdict)) {
        new_problem();
        verdict = attempt(task, plies);
    }
    verdict.nodes = budget.nodes();
    return verdict;
}

Verdict Solver::solve_shortest(const Position& position, Color attacker, const Limits& limits,
                               const std::stop_token& stop, Counting counting, Plies plies) {
    new_problem();
    Budget budget(limits, stop);
    const Task task{position, attacker, counting, budget};
    Verdict best = attempt(task, plies);
    while (best.outcome == Outcome::mate && !best.shortest) {
        if (best.length() <= 2) {
            best.shortest = true;  // there is no shorter length to try
            break;
        }
        Verdict shorter = attempt(task, best.length() - 2);
        if (shorter.outcome == Outcome::unknown) break;
        if (shorter.outcome == Outcome::no_mate)
            best.shortest = true;
        else
            best = std::move(shorter);
    }
    best.nodes = budget.nodes();
    return best;
}

}  // namespace tsumugi::mate
