// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "cluster/connection.hpp"
#include "cluster/job.hpp"

// How jobs and results are laid out in streams: known to those who post and those who work.
namespace tsumugi::cluster {

constexpr const char* job_stream = "TSUMUGI_JOBS";
constexpr const char* result_stream = "TSUMUGI_RESULTS";

inline std::string job_subject(const std::string& kind, const std::string& run, std::uint64_t number) {
    return "tsumugi.job." + kind + "." + run + "." + std::to_string(number);
}
inline std::string result_subject(const std::string& run, std::uint64_t number) {
    return "tsumugi.result." + run + "." + std::to_string(number);
}

// A durable queue over part of a stream, shared by all who ask for it. `lease` is how long a message may stay
// unconfirmed.
base::Result<SubscriptionHandle> open_queue(Connection& connection, const std::string& stream,
                                            const std::string& consumer, const std::string& filter,
                                            std::chrono::milliseconds lease);

// The next message of a queue, or nothing. Fails only when the queue itself is gone.
base::Result<MessageHandle> fetch(natsSubscription& queue, std::chrono::milliseconds patience);

// Stores a message for good. An `id` makes it one and the same however often it is sent.
base::Result<void> store_message(Connection& connection, const std::string& subject, const std::string& payload,
                                 const std::string& id);

}  // namespace tsumugi::cluster
