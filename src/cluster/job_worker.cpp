// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/job_worker.hpp"

#include <condition_variable>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cluster/job_stream.hpp"

namespace tsumugi::cluster {
namespace {

using base::Error;
using base::Result;
using std::chrono::milliseconds;

// For how long one kind of job is waited for before the next kind is looked at: while there is work, and else.
constexpr milliseconds quick_look{20};
constexpr milliseconds fetch_patience{500};
constexpr milliseconds retry_wait{500};
// Before a job that failed here is given out again.
constexpr milliseconds return_wait{500};

void sleep(milliseconds time, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait_for(lock, stop, time, [] { return false; });
}

// Tells the brokers that a job is still being done.
class Lease {
public:
    Lease(natsMsg& message, milliseconds lease)
        : thread_([&message, lease](const std::stop_token& stop) {
              while (!stop.stop_requested()) {
                  sleep(lease / 3, stop);
                  if (!stop.stop_requested()) natsMsg_InProgress(&message, nullptr);
              }
          }) {}

private:
    std::jthread thread_;
};

}  // namespace

Result<void> JobWorker::open_queues() {
    if (const auto ready = prepare_streams(*connection_); !ready) return ready;
    for (const auto& each : handlers_) {
        const std::string& kind = each.first;
        if (queues_.contains(kind)) continue;
        auto queue =
            open_queue(*connection_, job_stream, "workers_" + kind, "tsumugi.job." + kind + ".>", settings_.lease);
        if (!queue) return queue.error();
        queues_.emplace(kind, *std::move(queue));
    }
    return {};
}

void JobWorker::run(const std::stop_token& stop) {
    for (bool busy = false; !stop.stop_requested();) {
        if (const auto opened = open_queues(); !opened) {
            sleep(retry_wait, stop);
            continue;
        }
        const milliseconds patience = busy ? quick_look : fetch_patience;
        busy = false;
        for (auto each = queues_.begin(); each != queues_.end() && !stop.stop_requested();) {
            const auto task = take(each->first, *each->second, patience);
            busy = busy || (task && *task);
            if (task && *task) work(**task, stop);
            each = task ? std::next(each) : queues_.erase(each);  // to be opened anew
        }
    }
}

Result<std::unique_ptr<JobWorker::Task>> JobWorker::take(const std::string& kind, natsSubscription& queue,
                                                         milliseconds patience) {
    auto message = fetch(queue, patience);
    if (!message) return message.error();
    if (!*message) return std::unique_ptr<Task>();
    auto task = std::make_unique<Task>();
    const auto parts = base::split(natsMsg_GetSubject(message->get()), '.');
    const auto number = base::parse_number<std::uint64_t>(parts.back());
    if (parts.size() != 5 || !number) {
        natsMsg_Term(message->get(), nullptr);
        return std::unique_ptr<Task>();
    }
    task->job = {kind, std::string(parts[3]), *number, payload_of(message->get())};
    jsMsgMetaData* meta = nullptr;
    if (natsMsg_GetMetaData(&meta, message->get()) == NATS_OK) {
        task->deliveries = static_cast<int>(meta->NumDelivered);
        task->place = meta->Sequence.Stream;
    }
    jsMsgMetaData_Destroy(meta);
    task->message = *std::move(message);
    return task;
}

void JobWorker::work(Task& task, const std::stop_token& stop) {
    // A job on which workers die again and again would take them all down in time.
    if (task.deliveries > settings_.most_deliveries)
        return conclude(task, Error{Error::Code::limit, fmt::format("given out {} times", task.deliveries - 1)}, stop);
    const Lease lease(*task.message, settings_.lease);
    listener_(task.job, "begun");
    conclude(task, handlers_.at(task.job.kind)(task.job, stop), stop);
}

void JobWorker::conclude(Task& task, const Result<std::string>& result, const std::stop_token& stop) {
    const auto give_back = [&](const std::string& why) {
        natsMsg_NakWithDelay(task.message.get(), return_wait.count(), nullptr);
        listener_(task.job, why);
    };
    if (!result && stop.stop_requested()) return give_back("interrupted");
    const bool given_up = !result && task.deliveries >= settings_.most_deliveries;
    if (!result && !given_up) return give_back(result.error().message);
    std::string payload = result ? "done\n" + *result : "given-up\n" + result.error().message;
    const std::int64_t most = natsConnection_GetMaxPayload(connection_->handle());
    if (static_cast<std::int64_t>(payload.size()) > most)
        payload = fmt::format("given-up\nthe result has {} bytes, and the brokers take {}", payload.size(), most);
    if (!deliver(task, payload, stop)) return give_back("the result could not be stored");
    jsErrCode code{};
    // Should this be lost the job is done again, and its result recognised as one that is there.
    natsMsg_AckSync(task.message.get(), nullptr, &code);
    listener_(task.job, result ? "done" : "given up: " + result.error().message);
}

bool JobWorker::deliver(const Task& task, const std::string& payload, const std::stop_token& stop) {
    // Of all workers who did the job of this message one result counts; the same job posted anew is another message.
    const std::string id = fmt::format("{}.{}.{}", task.job.run, task.job.number, task.place);
    for (;;) {
        if (store_message(*connection_, result_subject(task.job.run, task.job.number), payload, id)) return true;
        if (stop.stop_requested()) return false;
        sleep(retry_wait, stop);
    }
}

}  // namespace tsumugi::cluster
