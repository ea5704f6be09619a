// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "cluster/job.hpp"

namespace tsumugi::cluster {

// How jobs of one kind are done. A failure that another worker may not share (something is missing here) is an error of
// the code `unsupported`: the job goes back. Other errors count as an attempt.
using JobHandler = std::function<base::Result<std::string>(const Job& job, const std::stop_token& stop)>;

// Does jobs one after the other, on the thread that calls run(). Several may work side by side. Brokers may come and
// go: a job is confirmed only after its result is stored, so one that is lost on the way is done again by somebody.
class JobWorker {
public:
    JobWorker(std::shared_ptr<Connection> connection, std::map<std::string, JobHandler> handlers, JobSettings settings)
        : connection_(std::move(connection)), handlers_(std::move(handlers)), settings_(settings) {}

    // What happened to a job, for whoever shows it.
    using Listener = std::function<void(const Job& job, const std::string& what)>;
    void on_job(Listener listener) { listener_ = std::move(listener); }

    // Until a stop. The job that is being done then goes back to the queue.
    void run(const std::stop_token& stop);

private:
    struct Task {
        Job job;
        MessageHandle message;
        int deliveries = 1;
        std::uint64_t place = 0;  // of the message in the stream
    };

    base::Result<void> open_queues();
    [[nodiscard]] base::Result<std::unique_ptr<Task>> take(const std::string& kind, natsSubscription& queue,
                                                           std::chrono::milliseconds patience);
    void work(Task& task, const std::stop_token& stop);
    void conclude(Task& task, const base::Result<std::string>& result, const std::stop_token& stop);
    bool deliver(const Task& task, const std::string& payload, const std::stop_token& stop);

    std::shared_ptr<Connection> connection_;
    std::map<std::string, JobHandler> handlers_;
    JobSettings settings_;
    std::map<std::string, SubscriptionHandle> queues_;  // by kind
    Listener listener_ = [](const Job&, const std::string&) {};
};

}  // namespace tsumugi::cluster
