// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/membership.hpp"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace tsumugi::cluster {
namespace {

using base::Error;
using base::Result;

constexpr const char* bucket = "tsumugi_members";
constexpr std::chrono::seconds renewal{1};

}  // namespace

Result<StoreHandle> Membership::open_store(Connection& connection) {
    kvConfig config;
    kvConfig_Init(&config);
    config.Bucket = bucket;
    config.TTL = in_nanoseconds(lifetime);
    config.Replicas = connection.replicas();
    // Whoever was alive before a broker's restart will say so again.
    config.StorageType = js_MemoryStorage;
    kvStore* raw = nullptr;
    natsStatus status = js_KeyValue(&raw, connection.streams(), bucket);
    if (status == NATS_NOT_FOUND) status = js_CreateKeyValue(&raw, connection.streams(), &config);
    if (status != NATS_OK)
        return nats_error(status, "cannot open the list of members; is the broker started with JetStream (-js)?");
    return StoreHandle(raw);
}

Result<Membership> Membership::open(std::shared_ptr<Connection> connection) {
    auto store = open_store(*connection);
    if (!store) return store.error();
    return Membership(std::move(connection), *std::move(store));
}

Result<void> Membership::put(const std::string& name, const std::string& description) {
    const auto try_to = [&] { return kvStore_PutString(nullptr, store_.get(), name.c_str(), description.c_str()); };
    natsStatus status = try_to();
    if (status != NATS_OK) {
        // A broker that was started anew has forgotten the list itself.
        auto store = open_store(*connection_);
        if (!store) return store.error();
        store_ = *std::move(store);
        status = try_to();
    }
    if (status != NATS_OK) return nats_error(status, "cannot write to the list of members");
    return {};
}

Result<void> Membership::remove(const std::string& name) {
    const natsStatus status = kvStore_Delete(store_.get(), name.c_str());
    if (status != NATS_OK) return nats_error(status, "cannot leave the list of members");
    return {};
}

Result<std::vector<Member>> Membership::list() {
    std::vector<Member> members;
    kvKeysList keys;
    const natsStatus status = kvStore_Keys(&keys, store_.get(), nullptr);
    if (status == NATS_NOT_FOUND) return members;
    if (status != NATS_OK) return nats_error(status, "cannot read the list of members");
    for (int i = 0; i < keys.Count; ++i) {
        kvEntry* raw = nullptr;
        // One that vanishes meanwhile is no member.
        if (kvStore_Get(&raw, store_.get(), keys.Keys[i]) != NATS_OK) continue;
        const EntryHandle entry(raw);
        members.push_back({keys.Keys[i], kvEntry_ValueString(raw)});
    }
    kvKeysList_Destroy(&keys);
    return members;
}

Presence::Presence(Membership membership, std::string name, std::function<std::string()> describe)
    : membership_(std::move(membership)),
      name_(std::move(name)),
      describe_(std::move(describe)),
      thread_([this](const std::stop_token& stop) { renew(stop); }) {}

Presence::~Presence() {
    thread_.request_stop();
    thread_.join();
    static_cast<void>(membership_.remove(name_));
}

void Presence::renew(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
        // A broker that does not take it now may take the next one; until then we are missed, which is right.
        static_cast<void>(membership_.put(name_, describe_()));
        changed.wait_for(lock, stop, renewal, [] { return false; });
    }
}

}  // namespace tsumugi::cluster
