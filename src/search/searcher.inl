// SPDX-License-Identifier: GPL-3.0-or-later
// BasicSearcher: threads, time, and what is shown while thinking. Included by the files that instantiate it.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "search/searcher.hpp"
#include "search/worker.hpp"

namespace tsumugi::search {

using Clock = std::chrono::steady_clock;
using think::Milliseconds;

template <typename P>
struct BasicSearcher<P>::Impl {
    explicit Impl(std::shared_ptr<SharedTable> shared_place) : place(std::move(shared_place)) {}

    Settings settings;
    const std::shared_ptr<SharedTable> place;  // nothing when the table is our own
    Table own_table;
    Table& table = place ? place->table() : own_table;
    Shared shared{settings, table};
    std::vector<std::unique_ptr<Worker<P>>> workers;
    std::shared_ptr<const eval::Evaluator> evaluator;

    // Guards what ponder_hit changes while a search runs.
    std::mutex mutex;
    std::condition_variable_any changed;
    Session* session = nullptr;
};

// One call of search().
template <typename P>
class BasicSearcher<P>::Session {
public:
    Session(Impl& impl, const shogi::Position& root, const think::Limits& limits, think::Observer& observer,
            std::stop_token stop, Companion* companion)
        : impl_(impl),
          visit_(impl.place ? std::make_unique<SharedTable::Visit>(*impl.place) : nullptr),
          root_(root),
          limits_(limits),
          observer_(observer),
          companion_(companion),
          stop_(std::move(stop)),
          pondering_(limits.ponder) {
        set_clock(limits.clock);
    }

    Outcome run() {
        const auto moves = candidate_moves();
        Outcome outcome;
        if (moves.empty()) return outcome;
        only_move_ = moves.size() == 1;
        prepare(moves);
        {
            std::vector<std::jthread> helpers;
            for (std::size_t i = 1; i < impl_.workers.size(); ++i)
                helpers.emplace_back([this, i] {
                    impl_.workers[i]->iterate(
                        max_ply - 1, [](int) { return true; }, [](std::size_t, Bound) {});
                });
            const int max_depth = std::min(limits_.depth.value_or(max_ply - 1), max_ply - 1);
            main().iterate(
                max_depth, [this](int depth) { return finish_depth(depth); },
                [this](std::size_t index, Bound bound) { report_bound(index, bound); });
            wait_while_unbounded();
            impl_.shared.stop.store(true, std::memory_order_relaxed);
        }
        return conclude();
    }

    // Called with the searcher's mutex held.
    void ponder_hit(const std::optional<think::ClockState>& clock) {
        if (clock) set_clock(clock);
        clock_start_ = Clock::now();
        pondering_.store(false, std::memory_order_release);
    }

private:
    Worker<P>& main() { return *impl_.workers[0]; }

    [[nodiscard]] std::vector<shogi::Move> candidate_moves() const {
        const auto promotion = impl_.settings.generate_all_moves ? shogi::Promotion::all : shogi::Promotion::sensible;
        shogi::MoveList list;
        shogi::legal_moves(root_, list, promotion);
        std::vector<shogi::Move> moves(list.begin(), list.end());
        if (limits_.root_moves.empty()) return moves;
        // A user may ask for a move the search itself would not consider.
        std::vector<shogi::Move> asked;
        for (const shogi::Move m : limits_.root_moves)
            if (root_.is_legal(m) && std::find(asked.begin(), asked.end(), m) == asked.end()) asked.push_back(m);
        return asked;
    }

    void prepare(const std::vector<shogi::Move>& moves) {
        if (!impl_.place) impl_.table.new_search();
        Shared& shared = impl_.shared;
        shared.stop.store(false, std::memory_order_relaxed);
        shared.node_limit = limits_.nodes.value_or(0);
        shared.time_is_up = [this] { return time_is_up(); };
        const P root = converted(root_);
        for (auto& worker : impl_.workers) {
            worker->use_evaluator(impl_.evaluator);
            worker->set_root(root, moves);
        }
    }

    // The root on the searcher's own slider method, with its history.
    static P converted(const shogi::Position& root) {
        if constexpr (std::is_same_v<P, shogi::Position>) {
            return root;
        } else {
            shogi::Position start = root;
            std::vector<shogi::Move> moves;
            while (start.history() > 0) {
                moves.push_back(start.state().move);
                start.undo_move();
            }
            P position = *P::from(start.setup());
            for (auto move = moves.rbegin(); move != moves.rend(); ++move)
                position.do_move(*move);
            return position;
        }
    }

    void set_clock(const std::optional<think::ClockState>& clock) {
        budget_.reset();
        if (limits_.move_time) {
            budget_ = think::TimeBudget{*limits_.move_time, *limits_.move_time, *limits_.move_time};
        } else if (clock) {
            budget_ = think::time_budget(*clock, root_.side_to_move(), root_.move_number() - 1,
                                         impl_.settings.max_moves_to_draw, impl_.settings.ponder_enabled,
                                         impl_.settings.time);
        }
    }

    [[nodiscard]] static Milliseconds since(Clock::time_point start) {
        return std::chrono::duration_cast<Milliseconds>(Clock::now() - start);
    }

    // Thinking without end until told otherwise: analysis, or pondering.
    [[nodiscard]] bool unbounded() const { return limits_.infinite || pondering_.load(std::memory_order_acquire); }

    bool time_is_up() {
        if (stop_.stop_requested()) return true;
        if (unbounded()) return false;
        const std::scoped_lock lock(impl_.mutex);
        const Milliseconds elapsed = since(clock_start_);
        return (budget_ && elapsed >= budget_->maximum) || elapsed >= stop_after_;
    }

    // After a completed depth: show it, and decide whether to go deeper.
    bool finish_depth(int depth) {
        report(depth == 1 || since(last_report_) >= impl_.settings.pv_interval);
        if (companion_ != nullptr) companion_->on_expected(main().root_moves()[0].line);
        if (limits_.infinite) return true;
        if (limits_.soft_nodes && total_nodes() >= *limits_.soft_nodes) return false;
        const Value best = main().root_moves()[0].score;
        if (is_mate_score(best) && 2 * (value_mate - std::abs(best)) < depth) return false;
        const std::scoped_lock lock(impl_.mutex);
        if (!budget_ || limits_.move_time) return true;
        if (only_move_ && depth >= 4) return plan_stop();
        if (budget_->unused_is_lost) return true;
        // Before a ponder hit the time used is a gift: it counts towards the aim, never towards the maximum.
        if (since(start_).count() <
            static_cast<std::int64_t>(static_cast<double>(budget_->optimum.count()) * urgency()))
            return true;
        return plan_stop();
    }

    // Enough was learned. Stop now, or at the end of the second that the clock will charge anyway.
    bool plan_stop() {
        if (pondering_.load(std::memory_order_acquire)) {
            stop_after_ = Milliseconds(0);  // at the ponder hit
            return true;
        }
        const Milliseconds elapsed = since(clock_start_);
        const Milliseconds end =
            only_move_ ? elapsed
                       : think::rounded_end(std::max(elapsed, budget_->minimum), *budget_, impl_.settings.time);
        if (end <= elapsed) return false;
        stop_after_ = end;
        return true;
    }

    // More time when the best move keeps changing or its score falls, less when one move takes all the effort.
    double urgency() {
        unsigned total = 0;
        for (const auto& worker : impl_.workers)
            total += worker->best_move_changes();
        changes_ =
            changes_ / 2 + static_cast<double>(total - counted_changes_) / static_cast<double>(impl_.workers.size());
        counted_changes_ = total;
        const RootMove& best = main().root_moves()[0];
        const double fall = average_ == value_none ? 0 : std::clamp((average_ - best.score) / 300.0, -0.4, 0.8);
        average_ = average_ == value_none ? best.score : (3 * average_ + best.score) / 4;
        const double share =
            static_cast<double>(best.effort) / static_cast<double>(std::max<std::uint64_t>(main().nodes(), 1));
        stable_ = best.move == last_best_ ? std::min(stable_ + 1, 10) : 0;
        last_best_ = best.move;
        return (1.0 + fall) * (0.85 + 0.35 * std::min(changes_, 4.0)) * (1.35 - 0.55 * share) * (1.15 - 0.04 * stable_);
    }

    void wait_while_unbounded() {
        std::unique_lock lock(impl_.mutex);
        impl_.changed.wait(lock, stop_, [this] { return !unbounded(); });
    }

    [[nodiscard]] static think::Score shown(Value v, Bound bound) {
        think::Score score;
        if (is_mate_score(v)) {
            score.kind = think::Score::Kind::mate;
            score.value = v > 0 ? value_mate - v : -value_mate - v;
        } else {
            score.value = v;
        }
        score.bound = bound == Bound::lower   ? think::Score::Bound::lower
                      : bound == Bound::upper ? think::Score::Bound::upper
                                              : think::Score::Bound::exact;
        return score;
    }

    [[nodiscard]] std::uint64_t total_nodes() const {
        std::uint64_t sum = 0;
        for (const auto& worker : impl_.workers)
            sum += worker->nodes();
        return sum;
    }

    [[nodiscard]] think::Line line_of(const RootMove& move, std::size_t rank, int depth) const {
        think::Line line;
        line.depth = depth;
        line.selective_depth = move.selective_depth;
        line.rank = static_cast<int>(rank) + 1;
        // Nothing is known yet of a move whose search was stopped in the first iteration.
        const Value value = move.score == -value_infinite ? move.previous : move.score;
        line.score = value == -value_infinite ? think::Score{} : shown(value, move.bound);
        line.nodes = total_nodes();
        line.time = since(start_);
        line.table_permille = impl_.table.permille_used();
        line.moves = move.line;
        return line;
    }

    [[nodiscard]] std::size_t line_count(const Worker<P>& worker) const {
        return std::min(static_cast<std::size_t>(std::max(impl_.settings.multi_pv, 1)), worker.root_moves().size());
    }

    void report(bool due) {
        if (!due) return;
        for (std::size_t i = 0; i < line_count(main()); ++i)
            observer_.on_line(line_of(main().root_moves()[i], i, main().completed_depth()));
        last_report_ = Clock::now();
    }

    void report_bound(std::size_t index, Bound bound) {
        if (!impl_.settings.output_fail_bounds || bound == Bound::exact || since(start_) < Milliseconds(3000)) return;
        if (since(last_report_) < impl_.settings.pv_interval) return;
        observer_.on_line(line_of(main().root_moves()[index], index, main().root_depth()));
        last_report_ = Clock::now();
    }

    // The thread whose opinion counts: the move with the most support, by depth and score.
    Worker<P>& elected() {
        Worker<P>* best = &main();
        if (impl_.workers.size() == 1 || impl_.settings.multi_pv > 1 || limits_.depth) return *best;
        const auto top = [](const Worker<P>& w) -> const RootMove& { return w.root_moves()[0]; };
        Value lowest = value_infinite;
        for (const auto& worker : impl_.workers)
            if (worker->completed_depth() > 0) lowest = std::min(lowest, top(*worker).score);
        std::map<std::uint16_t, std::int64_t> votes;
        const auto weight = [&](const Worker<P>& w) {
            return static_cast<std::int64_t>(top(w).score - lowest + 14) * w.completed_depth();
        };
        for (const auto& worker : impl_.workers)
            if (worker->completed_depth() > 0) votes[top(*worker).move.bits()] += weight(*worker);
        for (const auto& worker : impl_.workers) {
            if (worker->completed_depth() == 0 || top(*worker).score == -value_infinite) continue;
            if (is_mate_score(top(*best).score)) {
                if (top(*worker).score > top(*best).score) best = worker.get();
                continue;
            }
            if (is_mate_score(top(*worker).score) && top(*worker).score > 0) {
                best = worker.get();
                continue;
            }
            const auto mine = votes[top(*worker).move.bits()];
            const auto theirs = votes[top(*best).move.bits()];
            if (mine > theirs || (mine == theirs && weight(*worker) > weight(*best))) best = worker.get();
        }
        return *best;
    }

    Outcome conclude() {
        Worker<P>& voice = elected();
        const std::vector<RootMove>& moves = voice.root_moves();
        Outcome outcome;
        outcome.nodes = total_nodes();
        outcome.depth = std::max(voice.completed_depth(), 1);
        for (std::size_t i = 0; i < line_count(voice); ++i)
            outcome.lines.push_back(line_of(moves[i], i, outcome.depth));
        outcome.best = moves[0].move;
        outcome.score = outcome.lines[0].score;
        outcome.ponder = moves[0].line.size() > 1 ? moves[0].line[1] : reply_from_table(moves[0].move);
        for (const think::Line& line : outcome.lines)
            observer_.on_line(line);
        return outcome;
    }

    shogi::Move reply_from_table(shogi::Move best) const {
        shogi::Position after = root_;
        after.do_move(best);
        const auto known = impl_.table.probe(after.key(), max_ply);
        return known && after.is_legal(known.move) ? known.move : shogi::Move::none();
    }

    Impl& impl_;
    const std::unique_ptr<SharedTable::Visit> visit_;
    const shogi::Position& root_;
    const think::Limits& limits_;
    think::Observer& observer_;
    Companion* companion_;  // or nobody
    std::stop_token stop_;
    std::atomic<bool> pondering_;
    bool only_move_ = false;
    Clock::time_point start_ = Clock::now();
    Clock::time_point clock_start_ = limits_.start.value_or(start_);  // when our clock began to run
    Clock::time_point last_report_ = start_;
    std::optional<think::TimeBudget> budget_;
    Milliseconds stop_after_ = Milliseconds::max();  // on our clock
    double changes_ = 0;                             // of the best move lately, a thread
    unsigned counted_changes_ = 0;
    Value average_ = value_none;
    int stable_ = 0;
    shogi::Move last_best_;
};

template <typename P>
BasicSearcher<P>::BasicSearcher(std::shared_ptr<SharedTable> table) : impl_(std::make_unique<Impl>(std::move(table))) {}
template <typename P>
BasicSearcher<P>::~BasicSearcher() = default;

template <typename P>
void BasicSearcher<P>::configure(const Settings& settings) {
    impl_->settings = settings;
    Table& own = impl_->own_table;
    if (!impl_->place && (own.bytes() == 0 || own.settings() != settings.table))
        own.resize(settings.table, settings.threads);
    const auto threads = static_cast<std::size_t>(std::max(settings.threads, 1));
    while (impl_->workers.size() > threads)
        impl_->workers.pop_back();
    while (impl_->workers.size() < threads)
        impl_->workers.push_back(std::make_unique<Worker<P>>(impl_->shared, impl_->workers.size()));
}

template <typename P>
void BasicSearcher<P>::set_evaluator(std::shared_ptr<const eval::Evaluator> evaluator) {
    impl_->evaluator = std::move(evaluator);
}

template <typename P>
void BasicSearcher<P>::clear() {
    if (!impl_->place) impl_->own_table.clear(static_cast<int>(impl_->workers.size()));
    for (auto& worker : impl_->workers)
        worker->clear();
}

template <typename P>
Outcome BasicSearcher<P>::search(const shogi::Position& root, const think::Limits& limits, think::Observer& observer,
                                 std::stop_token stop, Companion* companion) {
    Session session(*impl_, root, limits, observer, std::move(stop), companion);
    {
        const std::scoped_lock lock(impl_->mutex);
        impl_->session = &session;
        // The hit may have come before there was a session to tell.
        if (limits.ponder_signal && limits.ponder_signal->is_hit()) session.ponder_hit(limits.ponder_signal->clock());
    }
    const Outcome outcome = session.run();
    const std::scoped_lock lock(impl_->mutex);
    impl_->session = nullptr;
    return outcome;
}

template <typename P>
void BasicSearcher<P>::teach_mate(const shogi::Position& position, shogi::Move move, int plies) {
    impl_->table.store(position.key(), {move, mate_in(plies), value_none, proven_depth, Bound::exact, true});
}

template <typename P>
void BasicSearcher<P>::ponder_hit(const std::optional<think::ClockState>& clock) {
    const std::scoped_lock lock(impl_->mutex);
    if (impl_->session != nullptr) impl_->session->ponder_hit(clock);
    impl_->changed.notify_all();
}

}  // namespace tsumugi::search
