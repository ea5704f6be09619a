// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/usage_table.hpp"

namespace tsumugi::arena {
namespace {

using report::Cell;

double milliseconds(Microseconds time) { return static_cast<double>(time.count()) / 1000; }

// A mean, or nothing where there is nothing to average.
Cell mean(double sum, std::uint64_t count, int decimals) {
    return count == 0 ? Cell() : Cell(sum / static_cast<double>(count), decimals);
}

std::uint64_t losses(const EngineUsage& usage, std::initializer_list<Reason> reasons) {
    std::uint64_t sum = 0;
    for (const Reason reason : reasons)
        if (const auto found = usage.losses_by.find(reason); found != usage.losses_by.end()) sum += found->second;
    return sum;
}

}  // namespace

report::Table usage_table(const MatchReport& match) {
    report::Table table({"engine", "limits", "moves", "depth", "nodes", "nodes/s", "ms/move", "longest ms",
                         "time losses", "illegal", "failures", "annulled"});
    for (std::size_t i = 0; i < match.engines.size(); ++i) {
        const EngineUsage& usage = match.usage[i];
        const double seconds = static_cast<double>(usage.thoughtful_time.count()) / 1e6;
        table.add({match.engines[i], match.limits[i], usage.moves,
                   mean(static_cast<double>(usage.depth), usage.thoughtful_moves, 2),
                   mean(static_cast<double>(usage.nodes), usage.thoughtful_moves, 0),
                   seconds > 0 ? Cell(static_cast<double>(usage.nodes) / seconds, 0) : Cell(),
                   mean(milliseconds(usage.time), usage.moves, 2), Cell(milliseconds(usage.longest), 2),
                   losses(usage, {Reason::time}), losses(usage, {Reason::illegal_move, Reason::wrong_declaration}),
                   losses(usage, {Reason::crash, Reason::hang, Reason::garbage}), usage.annulled});
    }
    return table;
}

}  // namespace tsumugi::arena
