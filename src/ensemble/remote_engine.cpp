// SPDX-License-Identifier: GPL-3.0-or-later
#include "ensemble/remote_engine.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cluster/membership.hpp"
#include "cluster/session.hpp"

namespace tsumugi::ensemble {
namespace {

using base::Deadline;
using base::Error;
using base::Result;

class LinkChannel : public protocol::EngineChannel {
public:
    explicit LinkChannel(std::unique_ptr<cluster::Link> link) : link_(std::move(link)) {}

    base::Process::Line read_line(Deadline deadline) override {
        using Kind = base::Process::Line::Kind;
        cluster::Link::Line line = link_->receive(deadline);
        switch (line.kind) {
            case cluster::Link::Line::Kind::text:
                return {Kind::text, base::Process::Stream::output, std::move(line.text)};
            case cluster::Link::Line::Kind::timeout: return {Kind::timeout, base::Process::Stream::output, {}};
            case cluster::Link::Line::Kind::end: break;
        }
        return {Kind::end, base::Process::Stream::output, {}};
    }
    Result<void> write(std::string_view text, Deadline /*deadline*/) override {
        for (const std::string_view line : base::split_lines(text))
            link_->send(line);
        return {};
    }
    void kill() override { link_->close("given up"); }
    // What the engine says on its way out is of no interest any more.
    std::string finish(std::chrono::milliseconds patience) override {
        const Deadline deadline = Deadline::after(patience);
        while (link_->receive(deadline).kind == cluster::Link::Line::Kind::text) {
        }
        link_->close("no longer needed");
        return link_->ending();
    }

private:
    std::unique_ptr<cluster::Link> link_;
};

}  // namespace

Result<std::shared_ptr<cluster::Connection>> RemoteEngines::connection() {
    const std::lock_guard lock(mutex_);
    if (connection_) return connection_;
    auto opened = cluster::Connection::open(settings_);
    if (!opened) return opened.error();
    connection_ = *std::move(opened);
    return connection_;
}

Result<std::vector<cluster::AgentOffer>> RemoteEngines::agents() {
    const auto brokers = connection();
    if (!brokers) return brokers.error();
    auto membership = cluster::Membership::open(*brokers);
    if (!membership) return membership.error();
    const auto members = membership->list();
    if (!members) return members.error();
    std::vector<cluster::AgentOffer> offers;
    for (const cluster::Member& member : *members)
        if (auto offer = cluster::AgentOffer::parse(member.description)) offers.push_back(*std::move(offer));
    return offers;
}

Result<std::unique_ptr<protocol::EngineChannel>> RemoteEngines::open(const std::string& engine,
                                                                     const std::string& agent) {
    const auto brokers = connection();
    if (!brokers) return brokers.error();
    std::vector<std::string> candidates{agent};
    if (agent.empty()) {
        auto offers = agents();
        if (!offers) return offers.error();
        // Several may ask at the same moment, so an agent that seems to have room may refuse.
        std::stable_sort(offers->begin(), offers->end(),
                         [&](const auto& a, const auto& b) { return a.room_for(engine) > b.room_for(engine); });
        candidates.clear();
        for (const cluster::AgentOffer& offer : *offers)
            if (offer.room_for(engine) > 0) candidates.push_back(offer.name);
    }
    Error last{Error::Code::unsupported, fmt::format("no agent of the cluster has room for an engine '{}'", engine)};
    for (const std::string& candidate : candidates) {
        auto link = cluster::open_session(*brokers, candidate, engine, {});
        if (link) return std::unique_ptr<protocol::EngineChannel>(std::make_unique<LinkChannel>(*std::move(link)));
        last = link.error();
    }
    return last;
}

}  // namespace tsumugi::ensemble
