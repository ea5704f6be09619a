// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cluster/handle.hpp"
#include "cluster/subscription_handle.hpp"

namespace tsumugi::cluster {

// Where the brokers are and how to be let in.
struct ConnectionSettings {
    std::vector<std::string> servers{"nats://127.0.0.1:4222"};
    std::string name = "tsumugi";  // as the broker's own monitoring shows it
    std::string user;
    std::string password;
    std::string nkey;                 // public key, with the seed of the private one in a file
    std::filesystem::path nkey_seed;  //
    bool tls = false;
    std::string tls_name;               // that the certificate of every broker must bear; empty: any name will do
    std::filesystem::path authority;    // certificates that are trusted; empty: those of the system
    std::filesystem::path certificate;  // our own, where the broker asks for one
    std::filesystem::path key;
    int replicas = 1;  // copies of jobs and of the list of members among the brokers
};

// Letters, digits, '-' and '_': what a name needs to be a part of a subject.
bool is_token(std::string_view text);

// Messages of a subject for as long as the object lives. Must not be destroyed by its own handler.
class Subscription {
public:
    using Handler = std::function<void(natsMsg& message)>;

    ~Subscription();
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

private:
    friend class Connection;
    struct Shared {
        std::mutex mutex;
        Handler handler;  // empty when it is over
    };

    Subscription(SubscriptionHandle handle, std::shared_ptr<Shared> shared)
        : handle_(std::move(handle)), shared_(std::move(shared)) {}
    static void on_message(natsConnection* connection, natsSubscription* subscription, natsMsg* message, void* closure);
    static void on_complete(void* closure);

    SubscriptionHandle handle_;
    std::shared_ptr<Shared> shared_;
};

// A connection to the brokers that comes back by itself. What is published while there is none waits for it; what is
// sent to us meanwhile is lost, and whoever minds has to notice. All calls may come from any thread.
class Connection {
public:
    static base::Result<std::shared_ptr<Connection>> open(const ConnectionSettings& settings);

    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    base::Result<void> publish(const std::string& subject, std::string_view payload);
    // Asks whoever listens and waits for an answer. Fails at once when nobody does.
    base::Result<std::string> request(const std::string& subject, std::string_view payload,
                                      std::chrono::milliseconds patience);
    base::Result<void> respond(natsMsg& request, std::string_view payload);
    base::Result<std::unique_ptr<Subscription>> subscribe(const std::string& subject, Subscription::Handler handler);

    [[nodiscard]] bool is_connected() const;
    // How many times it came back.
    [[nodiscard]] std::uint64_t reconnects() const;
    [[nodiscard]] int replicas() const { return replicas_; }
    // The way of a message to the broker and back.
    base::Result<std::chrono::microseconds> round_trip();

    [[nodiscard]] natsConnection* handle() const { return handle_.get(); }
    [[nodiscard]] jsCtx* streams() const { return streams_.get(); }
    // Owns a subscription of this connection.
    [[nodiscard]] SubscriptionHandle own(natsSubscription* subscription) const {
        return SubscriptionHandle(subscription, Retire{retired_});
    }

private:
    Connection(ConnectionHandle handle, StreamContextHandle streams, int replicas)
        : handle_(std::move(handle)), streams_(std::move(streams)), replicas_(replicas) {}

    // Declared first, to be freed last: only after the connection nothing is read any more.
    std::shared_ptr<RetiredSubscriptions> retired_ = std::make_shared<RetiredSubscriptions>();
    ConnectionHandle handle_;
    StreamContextHandle streams_;
    const int replicas_;
};

}  // namespace tsumugi::cluster
