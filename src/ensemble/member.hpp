// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "ensemble/config.hpp"
#include "ensemble/inquiry.hpp"
#include "ensemble/remote_engine.hpp"
#include "protocol/job_queue.hpp"
#include "search/shared_table.hpp"

namespace tsumugi::ensemble {

// A player that is running, and how to learn what went wrong while it thought.
struct Seat {
    std::unique_ptr<think::Player> player;
    std::function<std::optional<std::string>()> failure;
};

// Starts the player of a description, without options. Our own engine uses `table` if there is one; `remote` leads to
// the engines of a cluster.
base::Result<Seat> open_seat(const MemberConfig& config, think::Milliseconds longest_think,
                             std::shared_ptr<search::SharedTable> table = nullptr,
                             const std::shared_ptr<RemoteEngines>& remote = nullptr);

// A player of a group, on a thread of its own: nothing here waits for it. A player that fails is ended and started
// again, which takes place beside the game; questions that come meanwhile wait for it or are given up by who asked.
class Member {
public:
    using Opener = std::function<base::Result<Seat>()>;

    Member(MemberConfig config, Opener open) : config_(std::move(config)), open_(std::move(open)) {}
    // Inquiries have to be stopped before.
    ~Member() { closing_ = true; }
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

    [[nodiscard]] const MemberConfig& config() const { return config_; }

    // Starts the player unless it runs, and lets it load. `offers` are values for those options that it has and that
    // its description does not set.
    std::future<base::Result<void>> prepare(OptionValues offers);
    void new_game();
    void game_over(think::GameResult result);
    void ask(std::shared_ptr<Inquiry> inquiry);

private:
    // On the member's thread.
    base::Result<void> open();
    base::Result<void> set_options();
    void answer(Inquiry& inquiry);

    const MemberConfig config_;
    const Opener open_;
    std::optional<Seat> seat_;
    OptionValues offers_;
    std::atomic<bool> closing_ = false;
    protocol::JobQueue jobs_;  // last: its thread ends before the rest goes
};

}  // namespace tsumugi::ensemble
