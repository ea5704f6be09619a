// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet/job_run.hpp"

#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"

namespace tsumugi::fleet {
namespace {

using base::Error;
using base::Result;
using std::chrono::milliseconds;

constexpr milliseconds result_patience{500};
// Results of an earlier coordinator are there at once, if at all.
constexpr milliseconds first_patience{100};

class Run {
public:
    Run(JobSource& source, cluster::JobBoard board, const JobRunSettings& settings)
        : source_(source), board_(std::move(board)), settings_(settings) {}

    Result<void> operator()(const std::stop_token& stop) {
        // First what is there from before, so that it is not asked for again.
        for (bool more = true; more && !stop.stop_requested();)
            if (const auto taken = take_one(first_patience, more); !taken) return taken;
        while (!source_.complete() && !stop.stop_requested()) {
            post();
            if (waiting_.empty() && !held_) break;
            bool more = false;
            if (const auto taken = take_one(result_patience, more); !taken) return taken;
        }
        if (source_.complete()) return board_.withdraw();
        if (stop.stop_requested() || given_up_.empty()) return {};
        return Error{Error::Code::limit,
                     fmt::format("{} jobs could not be done: {}", given_up_.size(), base::join(given_up_, "; "))};
    }

private:
    void post() {
        while (waiting_.size() < settings_.window) {
            if (!held_) held_ = source_.next();
            if (!held_) return;
            if (const auto posted = board_.post(held_->number, held_->payload); !posted) {
                complain(posted.error().message);
                return;
            }
            waiting_.insert(held_->number);
            held_.reset();
        }
    }

    Result<void> take_one(milliseconds patience, bool& taken) {
        taken = false;
        auto received = board_.next(patience);
        if (!received) {
            complain(received.error().message);
            std::this_thread::sleep_for(patience);
            return {};
        }
        if (!*received) return {};
        taken = true;
        const cluster::JobResult& result = (*received)->result();
        if (result.done) {
            if (const auto done = source_.take(result.number, result.payload); !done) return done;
        } else {
            given_up_.push_back(fmt::format("job {}: {}", result.number, result.payload));
            settings_.say(given_up_.back());
        }
        waiting_.erase(result.number);
        // If this is lost the result comes again, and is recognised.
        if (const auto confirmed = (*received)->confirm(); !confirmed) complain(confirmed.error().message);
        return {};
    }

    void complain(const std::string& what) {
        if (what != complaint_) settings_.say(what);
        complaint_ = what;
    }

    JobSource& source_;
    cluster::JobBoard board_;
    const JobRunSettings& settings_;
    std::set<std::uint64_t> waiting_;
    std::optional<JobSource::Piece> held_;  // could not be posted yet
    std::vector<std::string> given_up_;
    std::string complaint_;
};

}  // namespace

Result<void> run_jobs(JobSource& source, const std::shared_ptr<cluster::Connection>& connection,
                      const std::string& kind, const std::string& run, const JobRunSettings& settings,
                      const std::stop_token& stop) {
    auto board = cluster::JobBoard::open(connection, kind, run, settings.jobs);
    if (!board) return board.error();
    return Run(source, *std::move(board), settings)(stop);
}

std::string job_kind(const std::string& name, std::uint64_t signature) { return fmt::format("{}-{}", name, signature); }

}  // namespace tsumugi::fleet
