// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <memory>
#include <mutex>

#include "base/clock.hpp"
#include "cluster/handle.hpp"

namespace tsumugi::cluster {

// Subscriptions that nobody reads any more. Up to its version 3.5 the library's reading thread looks a subscription up
// and uses it a little later without holding a reference (https://github.com/nats-io/nats.c/issues/637), so that one
// which is freed in between crashes the program. Hence they are freed when that thread has long moved on.
class RetiredSubscriptions {
public:
    RetiredSubscriptions() = default;
    ~RetiredSubscriptions();
    RetiredSubscriptions(const RetiredSubscriptions&) = delete;
    RetiredSubscriptions& operator=(const RetiredSubscriptions&) = delete;

    // Ends it, and owns it from now on.
    void add(natsSubscription* subscription);

private:
    struct Retired {
        natsSubscription* subscription;
        base::Deadline kept;
    };

    std::mutex mutex_;
    std::deque<Retired> retired_;  // the oldest first
};

// Retires a subscription instead of freeing it.
struct Retire {
    void operator()(natsSubscription* subscription) const { to->add(subscription); }

    std::shared_ptr<RetiredSubscriptions> to;
};

using SubscriptionHandle = std::unique_ptr<natsSubscription, Retire>;

}  // namespace tsumugi::cluster
