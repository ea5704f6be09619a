// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "cluster/job.hpp"

namespace tsumugi::fleet {

// Work that is cut into numbered jobs.
class JobSource {
public:
    virtual ~JobSource() = default;

    struct Piece {
        std::uint64_t number = 0;
        std::string payload;
    };
    // The next job that was not handed out; nothing when there is none, or none is needed any more.
    virtual std::optional<Piece> next() = 0;
    // Takes a result and makes it safe. The same one may come twice. An error ends the run.
    virtual base::Result<void> take(std::uint64_t number, const std::string& payload) = 0;
    [[nodiscard]] virtual bool complete() const = 0;
};

struct JobRunSettings {
    std::size_t window = 16;  // jobs posted and not yet done
    cluster::JobSettings jobs;
    std::function<void(const std::string&)> say = [](const std::string&) {};
};

// Posts jobs and collects their results until the source has enough, or until a stop; then the jobs wait for the next
// coordinator of the same run. Brokers and workers may come and go. An error names the jobs that nobody could do.
base::Result<void> run_jobs(JobSource& source, const std::shared_ptr<cluster::Connection>& connection,
                            const std::string& kind, const std::string& run, const JobRunSettings& settings,
                            const std::stop_token& stop);

// Workers play alike only with the same program and net: a kind of job that others do not even see.
std::string job_kind(const std::string& name, std::uint64_t signature);

}  // namespace tsumugi::fleet
