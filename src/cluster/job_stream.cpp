// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/job_stream.hpp"

#include <algorithm>
#include <array>
#include <thread>

#include <fmt/format.h>

#include "base/clock.hpp"

namespace tsumugi::cluster {
namespace {

using base::Error;
using base::Result;
using std::chrono::milliseconds;

// What nobody fetched in this time is of no use any more.
constexpr std::chrono::hours oldest{24 * 14};
// The brokers remember the names of messages for so long.
constexpr std::chrono::minutes memory{10};
constexpr milliseconds leader_wait{200};

Result<void> prepare_stream(Connection& connection, const char* name, const char* subject) {
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    std::array<const char*, 1> subjects{subject};
    config.Name = name;
    config.Subjects = subjects.data();
    config.SubjectsLen = 1;
    config.Retention = js_WorkQueuePolicy;
    config.Storage = js_FileStorage;
    config.Replicas = connection.replicas();
    config.MaxAge = in_nanoseconds(oldest);
    config.Duplicates = in_nanoseconds(memory);
    jsErrCode code{};
    jsStreamInfo* known = nullptr;
    natsStatus status = js_GetStreamInfo(&known, connection.streams(), name, nullptr, &code);
    jsStreamInfo_Destroy(known);
    if (status == NATS_NOT_FOUND) status = js_AddStream(nullptr, connection.streams(), &config, nullptr, &code);
    // Somebody else may have made it meanwhile.
    if (status == NATS_OK || code == JSStreamNameExistErr) return {};
    return nats_error(status,
                      fmt::format("cannot make the stream {}; is the broker started with JetStream (-js)?", name));
}

}  // namespace

Result<void> prepare_streams(Connection& connection) {
    if (const auto jobs = prepare_stream(connection, job_stream, "tsumugi.job.>"); !jobs) return jobs;
    return prepare_stream(connection, result_stream, "tsumugi.result.>");
}

Result<SubscriptionHandle> open_queue(Connection& connection, const std::string& stream, const std::string& consumer,
                                      const std::string& filter, milliseconds lease) {
    jsConsumerConfig config;
    jsConsumerConfig_Init(&config);
    config.Durable = consumer.c_str();
    config.AckPolicy = js_AckExplicit;
    config.AckWait = in_nanoseconds(lease);
    config.MaxDeliver = -1;
    config.MaxAckPending = -1;
    config.FilterSubject = filter.c_str();
    jsErrCode code{};
    jsConsumerInfo* known = nullptr;
    natsStatus status =
        js_GetConsumerInfo(&known, connection.streams(), stream.c_str(), consumer.c_str(), nullptr, &code);
    jsConsumerInfo_Destroy(known);
    if (status == NATS_NOT_FOUND)
        status = js_AddConsumer(nullptr, connection.streams(), stream.c_str(), &config, nullptr, &code);
    if (status != NATS_OK && code != JSConsumerNameExistErr)
        return nats_error(status, "cannot open the queue " + consumer);
    jsSubOptions options;
    jsSubOptions_Init(&options);
    options.Stream = stream.c_str();
    options.Consumer = consumer.c_str();
    natsSubscription* raw = nullptr;
    status = js_PullSubscribe(&raw, connection.streams(), nullptr, consumer.c_str(), nullptr, &options, &code);
    if (status != NATS_OK) return nats_error(status, "cannot read the queue " + consumer);
    return connection.own(raw);
}

Result<MessageHandle> fetch(natsSubscription& queue, milliseconds patience) {
    natsMsgList list{};
    jsErrCode code{};
    const base::Deadline deadline = base::Deadline::after(patience);
    const natsStatus status = natsSubscription_Fetch(&list, &queue, 1, patience.count(), &code);
    MessageHandle message;
    if (status == NATS_OK && list.Count > 0) {
        message.reset(list.Msgs[0]);
        list.Msgs[0] = nullptr;
    }
    natsMsgList_Destroy(&list);
    if (status == NATS_OK || status == NATS_TIMEOUT) return message;
    if (status == NATS_CONNECTION_CLOSED || status == NATS_INVALID_SUBSCRIPTION || status == NATS_NOT_FOUND)
        return nats_error(status, "the queue is gone");
    // No leader, no connection: both come back.
    std::this_thread::sleep_for(std::min<base::Clock::duration>(deadline.remaining(), leader_wait));
    return message;
}

Result<void> store_message(Connection& connection, const std::string& subject, const std::string& payload,
                           const std::string& id) {
    jsPubOptions options;
    jsPubOptions_Init(&options);
    if (!id.empty()) options.MsgId = id.c_str();
    jsErrCode code{};
    const natsStatus status = js_Publish(nullptr, connection.streams(), subject.c_str(), payload.data(),
                                         static_cast<int>(payload.size()), &options, &code);
    if (status != NATS_OK) return nats_error(status, "cannot store " + subject);
    return {};
}

}  // namespace tsumugi::cluster
