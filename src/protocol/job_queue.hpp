// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace tsumugi::protocol {

// Work done in the order it was asked for, by a thread of its own, so that whoever asks never waits.
class JobQueue {
public:
    using Job = std::function<void()>;

    JobQueue() : thread_([this] { work(); }) {}
    // Does what has been asked for, then ends.
    ~JobQueue();
    JobQueue(const JobQueue&) = delete;
    JobQueue& operator=(const JobQueue&) = delete;

    void add(Job job);

private:
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;
    bool closed_ = false;
    std::jthread thread_;
};

}  // namespace tsumugi::protocol
