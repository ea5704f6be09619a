// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "cluster/connection.hpp"

namespace tsumugi::cluster {

// Something to be done by one of many, once. A run is what its jobs belong to; a number names the job within it. Doing
// a job twice must give a result that is as good: the network decides which one counts.
struct Job {
    std::string kind;
    std::string run;
    std::uint64_t number = 0;
    std::string payload;
};

// What came of a job: the result, or why there will be none.
struct JobResult {
    std::uint64_t number = 0;
    bool done = false;
    std::string payload;  // or the reason
};

struct JobSettings {
    // A job whose worker shows no sign of life for this long goes to another one.
    std::chrono::milliseconds lease{30'000};
    // One that was given out so many times without success is given up.
    int most_deliveries = 5;
};

// The brokers' streams of jobs and results, made where they are missing.
base::Result<void> prepare_streams(Connection& connection);

// For whoever wants jobs done.
class JobBoard {
public:
    // `run` is a token. Results that came before this object existed are kept for it.
    static base::Result<JobBoard> open(std::shared_ptr<Connection> connection, const std::string& kind,
                                       const std::string& run, const JobSettings& settings);

    // Posting a job again that still waits or is being done changes nothing. One whose result has come is done anew:
    // its worker may not have let go of it yet, and is waited for.
    base::Result<void> post(std::uint64_t number, const std::string& payload);

    // A result with the right to say that it is safe.
    class Received {
    public:
        Received(JobResult result, MessageHandle message) : result_(std::move(result)), message_(std::move(message)) {}
        [[nodiscard]] const JobResult& result() const { return result_; }
        // After this it will not come again. Without it, it will.
        base::Result<void> confirm();

    private:
        JobResult result_;
        MessageHandle message_;
    };
    // Waits that long; nothing when none came. Brokers that are not there are waited for too.
    base::Result<std::optional<Received>> next(std::chrono::milliseconds patience);

    // Jobs that wait or are being done.
    [[nodiscard]] base::Result<std::uint64_t> outstanding();
    // Takes back what waits, and forgets the run.
    base::Result<void> withdraw();

private:
    JobBoard(std::shared_ptr<Connection> connection, std::string kind, std::string run, SubscriptionHandle results,
             std::chrono::milliseconds lease)
        : connection_(std::move(connection)),
          kind_(std::move(kind)),
          run_(std::move(run)),
          results_(std::move(results)),
          lease_(lease) {}
    [[nodiscard]] base::Result<bool> is_posted(const std::string& subject);

    std::shared_ptr<Connection> connection_;
    std::string kind_;
    std::string run_;
    SubscriptionHandle results_;
    std::chrono::milliseconds lease_;
    std::unordered_set<std::uint64_t> settled_;  // numbers of jobs with a result, until they are posted again
};

}  // namespace tsumugi::cluster
