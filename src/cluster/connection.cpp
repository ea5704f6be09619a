// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/connection.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"

namespace tsumugi::cluster {
namespace {

using base::Error;
using base::Result;

// A broker that does not answer two pings is taken for dead: a game cannot wait for the minutes that are usual.
constexpr std::int64_t ping_interval = 200;  // milliseconds
constexpr int unanswered_pings = 2;
constexpr std::int64_t reconnect_wait = 20;
constexpr std::int64_t connect_timeout = 2000;
// For answers about streams; leaders are elected within some seconds.
constexpr std::int64_t stream_patience = 5000;

// Collects the first failure of a row of calls.
class Calls {
public:
    explicit Calls(std::string what) : what_(std::move(what)) {}
    void add(natsStatus status) {
        if (status != NATS_OK && !error_) error_ = nats_error(status, what_);
    }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

private:
    std::string what_;
    std::optional<Error> error_;
};

void set_transport(natsOptions* options, Calls& calls) {
    calls.add(natsOptions_SetTimeout(options, connect_timeout));
    calls.add(natsOptions_SetPingInterval(options, ping_interval));
    calls.add(natsOptions_SetMaxPingsOut(options, unanswered_pings));
    calls.add(natsOptions_SetAllowReconnect(options, true));
    calls.add(natsOptions_SetMaxReconnect(options, -1));
    calls.add(natsOptions_SetReconnectWait(options, reconnect_wait));
    calls.add(natsOptions_SetReconnectJitter(options, reconnect_wait, reconnect_wait));
    // Else the library collects what is published for a millisecond, on each way.
    calls.add(natsOptions_SetSendAsap(options, true));
}

void set_identity(natsOptions* options, const ConnectionSettings& settings, Calls& calls) {
    calls.add(natsOptions_SetName(options, settings.name.c_str()));
    if (!settings.user.empty())
        calls.add(natsOptions_SetUserInfo(options, settings.user.c_str(), settings.password.c_str()));
    if (!settings.nkey.empty())
        calls.add(natsOptions_SetNKeyFromSeed(options, settings.nkey.c_str(), settings.nkey_seed.c_str()));
    if (!settings.tls) return;
    calls.add(natsOptions_SetSecure(options, true));
    // The library compares names only when it is told one, the same for all brokers.
    if (!settings.tls_name.empty()) calls.add(natsOptions_SetExpectedHostname(options, settings.tls_name.c_str()));
    if (!settings.authority.empty())
        calls.add(natsOptions_LoadCATrustedCertificates(options, settings.authority.c_str()));
    if (!settings.certificate.empty())
        calls.add(natsOptions_LoadCertificatesChain(options, settings.certificate.c_str(), settings.key.c_str()));
}

Result<OptionsHandle> make_options(const ConnectionSettings& settings) {
    natsOptions* raw = nullptr;
    Calls calls("the settings of the cluster");
    calls.add(natsOptions_Create(&raw));
    OptionsHandle options(raw);
    std::vector<const char*> servers;
    for (const std::string& server : settings.servers)
        servers.push_back(server.c_str());
    calls.add(natsOptions_SetServers(raw, servers.data(), static_cast<int>(servers.size())));
    set_transport(raw, calls);
    set_identity(raw, settings, calls);
    if (calls.error()) return *calls.error();
    return options;
}

}  // namespace

bool is_token(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
}

void Subscription::on_message(natsConnection* /*connection*/, natsSubscription* /*subscription*/, natsMsg* message,
                              void* closure) {
    const MessageHandle owned(message);
    const auto& shared = *static_cast<std::shared_ptr<Shared>*>(closure);
    const std::lock_guard lock(shared->mutex);
    if (shared->handler) shared->handler(*message);
}

void Subscription::on_complete(void* closure) { delete static_cast<std::shared_ptr<Shared>*>(closure); }

Subscription::~Subscription() {
    // Waits for a handler that is running.
    const std::lock_guard lock(shared_->mutex);
    shared_->handler = nullptr;
}

Result<std::shared_ptr<Connection>> Connection::open(const ConnectionSettings& settings) {
    const auto options = make_options(settings);
    if (!options) return options.error();
    natsConnection* raw = nullptr;
    if (const natsStatus status = natsConnection_Connect(&raw, options->get()); status != NATS_OK)
        return nats_error(status, "cannot connect to " + base::join(settings.servers, ", "));
    ConnectionHandle connection(raw);
    jsOptions stream_options;
    jsOptions_Init(&stream_options);
    stream_options.Wait = stream_patience;
    jsCtx* streams = nullptr;
    if (const natsStatus status = natsConnection_JetStream(&streams, raw, &stream_options); status != NATS_OK)
        return nats_error(status, "cannot use streams");
    return std::shared_ptr<Connection>(
        new Connection(std::move(connection), StreamContextHandle(streams), settings.replicas));
}

Result<void> Connection::publish(const std::string& subject, std::string_view payload) {
    const natsStatus status =
        natsConnection_Publish(handle_.get(), subject.c_str(), payload.data(), static_cast<int>(payload.size()));
    if (status != NATS_OK) return nats_error(status, "cannot publish to " + subject);
    return {};
}

Result<std::string> Connection::request(const std::string& subject, std::string_view payload,
                                        std::chrono::milliseconds patience) {
    natsMsg* reply = nullptr;
    const natsStatus status = natsConnection_Request(&reply, handle_.get(), subject.c_str(), payload.data(),
                                                     static_cast<int>(payload.size()), patience.count());
    const MessageHandle owned(reply);
    if (status != NATS_OK) return nats_error(status, "no answer from " + subject);
    return payload_of(reply);
}

Result<void> Connection::respond(natsMsg& request, std::string_view payload) {
    const char* const subject = natsMsg_GetReply(&request);
    if (subject == nullptr) return Error{Error::Code::io, "nobody waits for the answer"};
    return publish(subject, payload);
}

Result<std::unique_ptr<Subscription>> Connection::subscribe(const std::string& subject, Subscription::Handler handler) {
    auto shared = std::make_shared<Subscription::Shared>();
    shared->handler = std::move(handler);
    auto closure = std::make_unique<std::shared_ptr<Subscription::Shared>>(shared);
    natsSubscription* raw = nullptr;
    const natsStatus status =
        natsConnection_Subscribe(&raw, handle_.get(), subject.c_str(), &Subscription::on_message, closure.get());
    if (status != NATS_OK) return nats_error(status, "cannot subscribe to " + subject);
    SubscriptionHandle handle = own(raw);
    // From here on the library frees it, after the last message.
    natsSubscription_SetOnCompleteCB(raw, &Subscription::on_complete, closure.release());
    // The broker knows of it before the one who reads this subject is told its name.
    static_cast<void>(natsConnection_Flush(handle_.get()));
    return std::unique_ptr<Subscription>(new Subscription(std::move(handle), std::move(shared)));
}

bool Connection::is_connected() const { return natsConnection_Status(handle_.get()) == NATS_CONN_STATUS_CONNECTED; }

std::uint64_t Connection::reconnects() const {
    natsStatistics* raw = nullptr;
    if (natsStatistics_Create(&raw) != NATS_OK) return 0;
    const std::unique_ptr<natsStatistics, Destroyer<natsStatistics_Destroy>> statistics(raw);
    std::uint64_t in_messages = 0;
    std::uint64_t in_bytes = 0;
    std::uint64_t out_messages = 0;
    std::uint64_t out_bytes = 0;
    std::uint64_t reconnects = 0;
    natsConnection_GetStats(handle_.get(), raw);
    natsStatistics_GetCounts(raw, &in_messages, &in_bytes, &out_messages, &out_bytes, &reconnects);
    return reconnects;
}

Result<std::chrono::microseconds> Connection::round_trip() {
    std::int64_t nanoseconds = 0;
    if (const natsStatus status = natsConnection_GetRTT(handle_.get(), &nanoseconds); status != NATS_OK)
        return nats_error(status, "cannot measure the way to the broker");
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::nanoseconds(nanoseconds));
}

}  // namespace tsumugi::cluster
