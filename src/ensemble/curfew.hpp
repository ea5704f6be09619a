// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace tsumugi::ensemble {

// Does something after a while unless it is cancelled before.
class Curfew {
public:
    Curfew() = default;
    ~Curfew() { cancel(); }
    Curfew(const Curfew&) = delete;
    Curfew& operator=(const Curfew&) = delete;

    void begin(std::chrono::milliseconds wait, std::function<void()> end) {
        cancel();
        thread_ = std::jthread([wait, end = std::move(end)](const std::stop_token& stop) {
            std::mutex mutex;
            std::condition_variable_any over;
            std::unique_lock lock(mutex);
            over.wait_for(lock, stop, wait, [] { return false; });
            if (!stop.stop_requested()) end();
        });
    }
    // When it returns, what was to be done is done or will never be.
    void cancel() {
        thread_.request_stop();
        if (thread_.joinable()) thread_.join();
    }

private:
    std::jthread thread_;
};

}  // namespace tsumugi::ensemble
