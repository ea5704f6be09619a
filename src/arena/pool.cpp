// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/pool.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/thread.hpp"

namespace tsumugi::arena {
namespace {

using base::Error;
using base::Result;
using shogi::Color;

class Pool {
public:
    Pool(TaskSource& source, std::span<const EngineSpec> engines, const PoolSettings& settings,
         const std::stop_token& stop)
        : source_(source), engines_(engines), settings_(settings), forward_(stop, Forward{halt_}) {}

    Result<void> run() {
        {
            // The caller only waits: pinned to a core itself, it would take the others away from the process.
            std::vector<std::jthread> workers;
            for (int i = 0; i < settings_.concurrency; ++i)
                workers.emplace_back([this, i] { work(i); });
        }
        if (failure_) return *failure_;
        return {};
    }

private:
    using Team = std::vector<std::unique_ptr<Contestant>>;

    struct Forward {
        std::stop_source& target;
        void operator()() const { target.request_stop(); }
    };

    void work(int worker) {
        if (settings_.pin)
            if (const auto pinned = base::pin_to_core(worker % base::available_cores()); !pinned)
                return give_up(pinned.error());
        Team team(engines_.size());
        while (!halt_.stop_requested()) {
            std::optional<Task> task;
            {
                const std::lock_guard lock(mutex_);
                task = source_.next();
            }
            if (!task) return;
            if (const auto done = play(team, *task); !done) return give_up(done.error());
        }
    }

    Result<void> play(Team& team, const Task& task) {
        for (int attempt = 0;; ++attempt) {
            for (const Color side : shogi::both_colors)
                if (const auto ready = prepare(team, task, side); !ready) return ready;
            const auto seat = [&](Color side) {
                const std::size_t i = task.engine[shogi::index(side)];
                return Seat{*team[i], engines_[i].allowance, engines_[i].ponder};
            };
            const std::array<Seat, 2> seats{seat(Color::black), seat(Color::white)};
            const PlayedGame game = play_game(task.opening, seats, settings_.play, halt_.get_token());
            if (game.verdict.reason == Reason::interrupted) return {};
            const std::lock_guard lock(mutex_);
            const bool again = is_failure(game.verdict.reason) && settings_.on_failure == FailurePolicy::replay &&
                               attempt < settings_.replays;
            if (!again) return source_.finished(task, game);
            if (const auto noted = source_.annulled(task, game); !noted) return noted;
        }
    }

    // A machine under load may fail to start a program once; one that fails again and again is a mistake to report.
    Result<void> prepare(Team& team, const Task& task, Color side) {
        constexpr int attempts = 3;
        const std::size_t i = task.engine[shogi::index(side)];
        if (!team[i]) team[i] = make_contestant(engines_[i], settings_.play);
        Result<void> ready;
        for (int attempt = 0; attempt < attempts && !halt_.stop_requested(); ++attempt) {
            if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(200 << attempt));
            ready = team[i]->new_game(task.values[shogi::index(side)]);
            if (ready) return ready;
        }
        if (!ready) return ready.error().in("engine '" + engines_[i].name + "'");
        return ready;
    }

    void give_up(const Error& error) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = error;
        halt_.request_stop();
    }

    TaskSource& source_;
    std::span<const EngineSpec> engines_;
    const PoolSettings& settings_;
    std::stop_source halt_;  // stops all games: on request from outside or after an error
    std::stop_callback<Forward> forward_;
    std::mutex mutex_;  // guards the source and the failure
    std::optional<Error> failure_;
};

}  // namespace

Result<void> play_all(TaskSource& source, std::span<const EngineSpec> engines, const PoolSettings& settings,
                      std::stop_token stop) {
    return Pool(source, engines, settings, stop).run();
}

}  // namespace tsumugi::arena
