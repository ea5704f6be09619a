// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/subscription_handle.hpp"

#include <chrono>

namespace tsumugi::cluster {
namespace {

// The reading thread needs microseconds, unless it is kept from running.
constexpr std::chrono::seconds safe_wait{10};

}  // namespace

RetiredSubscriptions::~RetiredSubscriptions() {
    for (const Retired& each : retired_)
        natsSubscription_Destroy(each.subscription);
}

void RetiredSubscriptions::add(natsSubscription* subscription) {
    natsSubscription_Unsubscribe(subscription);
    const std::lock_guard lock(mutex_);
    retired_.push_back({subscription, base::Deadline::after(safe_wait)});
    for (; !retired_.empty() && retired_.front().kept.passed(); retired_.pop_front())
        natsSubscription_Destroy(retired_.front().subscription);
}

}  // namespace tsumugi::cluster
