// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/job.hpp"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "cluster/job_stream.hpp"

namespace tsumugi::cluster {
namespace {

using base::Error;
using base::Result;
using std::chrono::milliseconds;

// Results are kept again for another coordinator if this one does not confirm them.
constexpr milliseconds result_lease{30'000};
// How often a job that is to be posted again is looked for.
constexpr milliseconds settled_poll{10};

}  // namespace

Result<JobBoard> JobBoard::open(std::shared_ptr<Connection> connection, const std::string& kind, const std::string& run,
                                const JobSettings& settings) {
    if (!is_token(kind) || !is_token(run))
        return Error{Error::Code::syntax, fmt::format("'{}' and '{}' must be letters and digits", kind, run)};
    if (const auto ready = prepare_streams(*connection); !ready) return ready.error();
    auto results = open_queue(*connection, result_stream, "run_" + run, "tsumugi.result." + run + ".>",
                              std::min(result_lease, settings.lease));
    if (!results) return results.error();
    return JobBoard(std::move(connection), kind, run, *std::move(results), settings.lease);
}

Result<bool> JobBoard::is_posted(const std::string& subject) {
    natsMsg* message = nullptr;
    jsErrCode code{};
    const natsStatus status =
        js_GetLastMsg(&message, connection_->streams(), job_stream, subject.c_str(), nullptr, &code);
    const MessageHandle owned(message);
    if (status != NATS_OK && status != NATS_NOT_FOUND) return nats_error(status, "cannot look for " + subject);
    return status == NATS_OK;
}

Result<void> JobBoard::post(std::uint64_t number, const std::string& payload) {
    const std::string subject = job_subject(kind_, run_, number);
    // A job leaves the stream when its worker confirms it, which follows the result. A worker that died in between
    // is replaced after the lease, and does the same job again.
    const base::Deadline deadline = base::Deadline::after(3 * lease_);
    for (;;) {
        const auto posted = is_posted(subject);
        if (!posted) return posted.error();
        if (!*posted) break;
        if (!settled_.contains(number)) return {};
        if (deadline.passed())
            return Error{Error::Code::limit, "no worker has let go of " + subject + "; post it again later"};
        std::this_thread::sleep_for(settled_poll);
    }
    settled_.erase(number);
    return store_message(*connection_, subject, payload, {});
}

Result<void> JobBoard::Received::confirm() {
    jsErrCode code{};
    const natsStatus status = natsMsg_AckSync(message_.get(), nullptr, &code);
    if (status != NATS_OK) return nats_error(status, "cannot confirm a result");
    return {};
}

Result<std::optional<JobBoard::Received>> JobBoard::next(milliseconds patience) {
    auto message = fetch(*results_, patience);
    if (!message) return message.error();
    if (!*message) return std::optional<Received>();
    const std::string_view subject = natsMsg_GetSubject(message->get());
    const auto number = base::parse_number<std::uint64_t>(base::split(subject, '.').back());
    const std::string payload = payload_of(message->get());
    const bool is_known = payload.starts_with("done\n") || payload.starts_with("given-up\n");
    if (!number || !is_known) {
        // Nobody can use it, now or later.
        natsMsg_Term(message->get(), nullptr);
        return std::optional<Received>();
    }
    JobResult result{*number, payload.starts_with("done\n"), payload.substr(payload.find('\n') + 1)};
    settled_.insert(*number);
    return std::optional<Received>(std::in_place, std::move(result), *std::move(message));
}

Result<std::uint64_t> JobBoard::outstanding() {
    const std::string filter = fmt::format("tsumugi.job.{}.{}.>", kind_, run_);
    jsOptions options;
    jsOptions_Init(&options);
    options.Stream.Info.SubjectsFilter = filter.c_str();
    jsStreamInfo* raw = nullptr;
    jsErrCode code{};
    const natsStatus status = js_GetStreamInfo(&raw, connection_->streams(), job_stream, &options, &code);
    const std::unique_ptr<jsStreamInfo, Destroyer<jsStreamInfo_Destroy>> info(raw);
    if (status != NATS_OK) return nats_error(status, "cannot count the jobs");
    if (info->State.Subjects == nullptr) return std::uint64_t{0};
    return static_cast<std::uint64_t>(info->State.Subjects->Count);
}

Result<void> JobBoard::withdraw() {
    const std::array<std::pair<const char*, std::string>, 2> parts{
        {{job_stream, fmt::format("tsumugi.job.{}.{}.>", kind_, run_)},
         {result_stream, fmt::format("tsumugi.result.{}.>", run_)}}};
    jsErrCode code{};
    for (const auto& [stream, filter] : parts) {
        jsOptions options;
        jsOptions_Init(&options);
        options.Stream.Purge.Subject = filter.c_str();
        const natsStatus status = js_PurgeStream(connection_->streams(), stream, &options, &code);
        if (status != NATS_OK) return nats_error(status, "cannot take back the jobs");
    }
    results_.reset();
    const std::string consumer = "run_" + run_;
    const natsStatus status =
        js_DeleteConsumer(connection_->streams(), result_stream, consumer.c_str(), nullptr, &code);
    if (status != NATS_OK && status != NATS_NOT_FOUND) return nats_error(status, "cannot forget the run");
    return {};
}

}  // namespace tsumugi::cluster
