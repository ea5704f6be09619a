// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mate_batch.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/file.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "base/thread.hpp"
#include "record/sfen.hpp"

namespace tsumugi::app {
namespace {

using base::Error;
using base::Result;

constexpr std::string_view batch_header = "# name\toutcome\tplies\tshortest\tnodes\tseconds\tline\n";

std::string text_of(const MateRow& row) {
    return fmt::format("{}\t{}\t{}\t{}\t{}\t{:.6f}\t{}\n", row.name, row.outcome, row.plies, row.shortest ? 1 : 0,
                       row.nodes, row.seconds, row.line);
}

// A line cut short by an interruption, or foreign, is nothing.
std::optional<MateRow> row_of(std::string_view line) {
    const auto cells = base::split(line, '\t');
    if (cells.size() != 7 || line.front() == '#') return std::nullopt;
    const auto plies = base::parse_number<int>(cells[2]);
    const auto nodes = base::parse_number<std::uint64_t>(cells[4]);
    const auto seconds = base::parse_number<double>(cells[5]);
    if (!plies || !nodes || !seconds) return std::nullopt;
    return MateRow{std::string(cells[0]), std::string(cells[1]), *plies, cells[3] == "1", *nodes, *seconds,
                   std::string(cells[6])};
}

Result<std::map<std::string, MateRow>> rows_of_earlier_run(const std::filesystem::path& results) {
    std::map<std::string, MateRow> rows;
    if (results.empty() || !std::filesystem::exists(results)) return rows;
    const auto text = base::read_file(results);
    if (!text) return text.error();
    for (const std::string_view line : base::split_lines(*text))
        if (!line.empty())
            if (const auto row = row_of(line)) rows[row->name] = *row;
    return rows;
}

// Was the last row cut short when the program ended?
bool ends_within_a_line(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    char last = '\n';
    if (in.tellg() > 0) in.seekg(-1, std::ios::end).get(last);
    return last != '\n';
}

MateRow solve_row(mate::Solver& solver, const MateProblem& problem, const MateTask& task, const std::stop_token& stop) {
    MateRow row;
    row.name = problem.name;
    if (!problem.position) {
        row.outcome = problem.position.error().message;
        return row;
    }
    const base::Stopwatch watch;
    const auto verdict = solve(solver, *problem.position, task, stop);
    row.seconds = watch.seconds();
    if (!verdict) {
        row.outcome = verdict.error().message;
        return row;
    }
    row.outcome = verdict->outcome == mate::Outcome::mate      ? "mate"
                  : verdict->outcome == mate::Outcome::no_mate ? "nomate"
                                                               : "unknown";
    row.plies = verdict->length();
    row.shortest = verdict->shortest;
    row.nodes = verdict->nodes;
    row.line = usi_line(verdict->line);
    return row;
}

}  // namespace

mate::Limits MateTask::limits() const {
    mate::Limits limits;
    if (seconds > 0) limits.deadline = base::Deadline::after(std::chrono::duration<double>(seconds));
    if (nodes > 0) limits.nodes = nodes;
    return limits;
}

std::string usi_line(const std::vector<shogi::Move>& line) {
    std::string text;
    for (const shogi::Move move : line)
        text.append(text.empty() ? "" : " ").append(record::to_usi(move));
    return text;
}

Result<shogi::Color> attacker_of(const shogi::Position& position, bool defender_first) {
    const shogi::Color mover = position.side_to_move();
    if (!defender_first && !position.king(~mover).is_none()) return mover;
    if (!position.in_check())
        return Error{Error::Code::range, "the defender is to move but not in check: there is nothing to solve"};
    return ~mover;
}

Result<mate::Verdict> solve(mate::Solver& solver, const shogi::Position& position, const MateTask& task,
                            const std::stop_token& stop) {
    const auto attacker = attacker_of(position, task.defender_first);
    if (!attacker) return attacker.error();
    if (task.shortest)
        return solver.solve_shortest(position, *attacker, task.limits(), stop, task.counting, task.plies);
    return solver.solve(position, *attacker, task.limits(), stop, task.plies);
}

Result<std::vector<MateRow>> solve_all(const std::vector<MateProblem>& problems, const MateTask& task, int jobs,
                                       const std::filesystem::path& results, const std::stop_token& stop) {
    const auto earlier = rows_of_earlier_run(results);
    if (!earlier) return earlier.error();
    std::vector<MateRow> rows(problems.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const auto known = earlier->find(problems[i].name);
        if (known != earlier->end())
            rows[i] = known->second;
        else
            open.push_back(i);
    }
    std::ofstream out;
    if (!results.empty()) {
        const bool cut_short = ends_within_a_line(results);
        out.open(results, std::ios::app);
        if (!out) return Error{Error::Code::io, fmt::format("cannot write '{}'", results.string())};
        if (cut_short) out << '\n';
        if (earlier->empty()) out << batch_header;
    }
    std::vector<mate::Solver> solvers;
    for (int i = 0; i < jobs; ++i) {
        auto solver = mate::Solver::create(
            {std::max<std::size_t>(task.solver.mebibytes / static_cast<std::size_t>(jobs), 1), task.solver.threads});
        if (!solver) return solver.error();
        solvers.push_back(std::move(*solver));
    }
    base::Progress progress("mate", problems.size(), problems.size() - open.size());
    std::mutex mutex;
    base::parallel_for(open.size(), jobs, [&](std::size_t i, int worker) {
        if (stop.stop_requested()) return;
        MateRow row = solve_row(solvers[static_cast<std::size_t>(worker)], problems[open[i]], task, stop);
        progress.add();
        if (stop.stop_requested() && row.outcome == "unknown") return;  // a later run shall solve it
        const std::lock_guard lock(mutex);
        if (out.is_open()) out << text_of(row) << std::flush;
        rows[open[i]] = std::move(row);
    });
    std::erase_if(rows, [](const MateRow& row) { return row.name.empty(); });
    return rows;
}

report::Table summary_of(const std::vector<MateRow>& rows) {
    struct Sum {
        int problems = 0;
        std::uint64_t nodes = 0;
        double seconds = 0;
        double longest = 0;
        int plies = 0;
    };
    std::map<std::string, Sum> sums;
    for (const MateRow& row : rows)
        for (const std::string& name : {row.outcome, std::string("~all")}) {
            Sum& sum = sums[name];
            ++sum.problems;
            sum.nodes += row.nodes;
            sum.seconds += row.seconds;
            sum.longest = std::max(sum.longest, row.seconds);
            sum.plies = std::max(sum.plies, row.plies);
        }
    report::Table table({"outcome", "problems", "nodes", "seconds", "slowest", "longest line", "problems/s"});
    for (const auto& [name, sum] : sums)
        table.add({name == "~all" ? "all" : name, sum.problems, sum.nodes, report::Cell(sum.seconds, 3),
                   report::Cell(sum.longest, 3), sum.plies,
                   report::Cell(sum.seconds > 0 ? sum.problems / sum.seconds : 0.0, 1)});
    return table;
}

}  // namespace tsumugi::app
