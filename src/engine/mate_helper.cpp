// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mate_helper.hpp"

#include <algorithm>
#include <limits>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "search/value.hpp"

namespace tsumugi::engine {
namespace {

constexpr std::uint64_t settled = std::numeric_limits<std::uint64_t>::max();
// Positions are tried again with this many times the nodes, so often at most.
constexpr std::uint64_t growth = 4;
constexpr int rounds = 4;

constexpr std::uint64_t largest_budget(std::uint64_t first) {
    for (int round = 1; round < rounds; ++round)
        first *= growth;
    return first;
}

// A longer one could not be told from an ordinary score at the end of a long line.
constexpr mate::Plies longest_taught = search::max_ply / 2;

// How many plies may still be played, this one included.
mate::Plies plies_left(const shogi::Position& position, int last_move) {
    return last_move > 0 ? last_move - position.move_number() + 1 : mate::unlimited;
}

think::Line line_of(const mate::Verdict& verdict, const search::Outcome& outcome, think::Milliseconds time) {
    think::Line line;
    line.depth = std::max(outcome.depth, 1);
    line.selective_depth = verdict.length();
    line.score = {think::Score::Kind::mate, verdict.length(), think::Score::Bound::exact};
    line.nodes = outcome.nodes;
    line.time = time;
    line.moves = verdict.line;
    return line;
}

// Has the search itself found a mate that is no longer?
bool knows_as_short_a_mate(const search::Outcome& outcome, const mate::Verdict& verdict) {
    return outcome.score.kind == think::Score::Kind::mate && outcome.score.value > 0 &&
           outcome.score.value <= verdict.length();
}

}  // namespace

void MateHelper::on_expected(std::span<const shogi::Move> line) {
    const std::scoped_lock lock(mutex_);
    if (std::equal(line.begin(), line.end(), line_.begin(), line_.end())) return;
    line_.assign(line.begin(), line.end());
    fresh_ = true;
    changed_.notify_one();
}

void MateHelper::work(const std::stop_token& stop) {
    while (!root_mate_) {
        const auto task = next(stop);
        if (!task) return;
        try_position(*task, stop);
    }
}

std::optional<MateHelper::Task> MateHelper::next(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return fresh_; })) {
        if (stop.stop_requested()) break;
        if (auto task = choose()) return task;
        fresh_ = false;
    }
    return std::nullopt;
}

std::optional<MateHelper::Task> MateHelper::choose() const {
    std::uint64_t nodes = settings_.nodes;
    for (int round = 0; round < rounds; ++round, nodes *= growth) {
        shogi::Position p = root_;
        for (std::size_t ply = 0;; ++ply) {
            const auto known = spent_.find(p.key());
            if (known == spent_.end() || known->second < nodes) return Task{ply, nodes, p};
            if (ply == line_.size()) break;
            p.do_move(line_[ply]);
        }
    }
    return std::nullopt;
}

void MateHelper::try_position(const Task& task, const std::stop_token& stop) {
    const shogi::Position& p = task.position;
    std::uint64_t& spent = spent_[p.key()];
    spent = settled;
    const mate::Plies plies = plies_left(p, settings_.last_move);
    if (plies < 1) return;
    mate::Limits limits;
    limits.nodes = task.nodes;
    mate::Verdict verdict = solver_.solve(p, p.side_to_move(), limits, stop, plies);
    switch (verdict.outcome) {
        case mate::Outcome::no_mate: break;
        case mate::Outcome::unknown: spent = task.nodes; break;
        case mate::Outcome::mate:
            if (task.ply == 0)
                root_mate_ = std::move(verdict);
            else if (verdict.length() <= longest_taught)
                searcher_.teach_mate(p, verdict.line.front(), verdict.length());
            break;
    }
}

search::Outcome search_with_helper(search::Searcher& searcher, mate::Solver& solver, const shogi::Position& position,
                                   const think::Limits& limits, think::Observer& observer, const std::stop_token& stop,
                                   const MateHelper::Settings& settings, std::uint64_t& promised) {
    const base::Stopwatch watch;
    const bool may_end = !limits.infinite && !limits.ponder;
    std::stop_source enough;
    const std::stop_callback on_stop(stop, [&enough] { enough.request_stop(); });
    MateHelper helper(solver, searcher, position, settings);
    if (promised > 0) helper.try_root(std::min(growth * promised, largest_budget(settings.nodes)), stop);
    search::Outcome outcome;
    if (!helper.root_mate() || !may_end) {
        const std::jthread beside([&](const std::stop_token& end) {
            helper.work(end);
            if (helper.root_mate() && may_end) enough.request_stop();
        });
        outcome = searcher.search(position, limits, observer, enough.get_token(), &helper);
    }
    const auto& mate = helper.root_mate();
    promised = mate ? std::max(mate->nodes, settings.nodes) : 0;
    if (!mate || knows_as_short_a_mate(outcome, *mate)) return outcome;
    const think::Line line = line_of(*mate, outcome, watch.milliseconds());
    outcome.best = line.moves.front();
    outcome.ponder = line.moves.size() > 1 ? line.moves[1] : shogi::Move::none();
    outcome.score = line.score;
    outcome.lines.assign(1, line);
    observer.on_line(line);
    return outcome;
}

}  // namespace tsumugi::engine
