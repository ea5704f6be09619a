// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "base/clock.hpp"
#include "cluster/connection.hpp"

namespace tsumugi::cluster {

// Lines between two ends, each once and in order, over a connection that may lose messages while it comes back. Lines
// are numbered; both ends tell now and then how far they got, and what was lost is sent again. An end that hears
// nothing for some time takes the other one for dead.
class Link {
public:
    struct Settings {
        std::chrono::milliseconds beat{200};
        std::chrono::milliseconds patience{3000};
        std::size_t kept_lines = 2000;      // that can be sent again
        std::size_t waiting_lines = 20000;  // that were not read yet; more end the link
    };
    struct Line {
        enum class Kind { text, timeout, end };
        Kind kind = Kind::end;
        std::string text;
    };
    // The two ends of a session.
    enum class Side { client, agent };

    static base::Result<std::unique_ptr<Link>> open(std::shared_ptr<Connection> connection, const std::string& session,
                                                    Side side, const Settings& settings);
    // Tells the other end.
    ~Link();
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    // Lines without an end. After the end of the link nothing happens.
    void send(std::string_view line);
    // The next line, waiting at most until the deadline. What arrived before the end comes before it.
    Line receive(base::Deadline deadline);
    // Ends it on both sides.
    void close(std::string_view reason);
    // Why it ended; empty while it has not.
    [[nodiscard]] std::string ending() const;

private:
    Link(std::shared_ptr<Connection> connection, std::string out, const Settings& settings);

    void take(std::string_view message);
    void take_line(std::uint64_t number, std::string_view text);
    void ask_again();
    void send_again(std::uint64_t from);
    void end(std::string reason);
    void beat(const std::stop_token& stop);
    void publish(std::string_view kind, std::uint64_t number, std::string_view text);

    const std::shared_ptr<Connection> connection_;
    const std::string out_;
    const Settings settings_;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::string ending_;
    std::uint64_t next_out_ = 0;
    std::deque<std::string> sent_;  // the last of them is next_out_ - 1
    std::uint64_t next_in_ = 0;
    std::deque<std::string> received_;
    base::Clock::time_point heard_ = base::Clock::now();
    base::Clock::time_point asked_{};

    std::unique_ptr<Subscription> subscription_;
    std::jthread heart_;
};

}  // namespace tsumugi::cluster
