// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/link.hpp"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/broker.hpp"
#include "cluster/cuttable_wire.hpp"

namespace tsumugi::cluster {
namespace {

using namespace std::chrono_literals;
using test::Broker;
using Kind = Link::Line::Kind;

constexpr Link::Settings brisk{.beat = 50ms, .patience = 2000ms};

struct Ends {
    std::unique_ptr<Link> client;
    std::unique_ptr<Link> agent;
};

Ends make_ends(const std::shared_ptr<Connection>& client, const std::shared_ptr<Connection>& agent,
               const Link::Settings& settings = brisk) {
    auto first = Link::open(client, "s1", Link::Side::client, settings);
    auto second = Link::open(agent, "s1", Link::Side::agent, settings);
    if (!first || !second) throw std::runtime_error("no link");
    return {*std::move(first), *std::move(second)};
}

TEST(Link, CarriesLinesInOrderBothWaysAndTellsItsEnd) {
    const Broker broker;
    const auto connection = broker.connect();
    const Ends ends = make_ends(connection, broker.connect());
    for (int i = 0; i < 300; ++i) {
        ends.client->send("to agent " + std::to_string(i));
        ends.agent->send("to client " + std::to_string(i));
    }
    for (int i = 0; i < 300; ++i) {
        EXPECT_EQ(ends.agent->receive(base::Deadline::after(5s)).text, "to agent " + std::to_string(i));
        EXPECT_EQ(ends.client->receive(base::Deadline::after(5s)).text, "to client " + std::to_string(i));
    }
    EXPECT_EQ(ends.client->receive(base::Deadline::after(10ms)).kind, Kind::timeout);
    ends.agent->send("last");
    ends.agent->close("the engine exited");
    EXPECT_EQ(ends.client->receive(base::Deadline::after(5s)).text, "last");
    EXPECT_EQ(ends.client->receive(base::Deadline::after(5s)).kind, Kind::end);
    EXPECT_EQ(ends.client->ending(), "the engine exited");
}

TEST(Link, LosesAndDoublesNothingWhenTheWireIsCutAndMended) {
    const Broker broker;
    test::CuttableWire wire(broker.port());
    const Ends ends = make_ends(Broker::connect_to({.servers = {wire.url()}}), broker.connect());
    int next = 0;
    const auto send_some = [&] {
        for (int i = 0; i < 20; ++i)
            ends.agent->send(std::to_string(next++));
    };
    send_some();
    wire.cut();
    send_some();
    std::this_thread::sleep_for(700ms);  // long enough for the client to give up this wire
    wire.mend();
    send_some();
    for (int i = 0; i < next; ++i)
        ASSERT_EQ(ends.client->receive(base::Deadline::after(5s)).text, std::to_string(i));
    EXPECT_EQ(ends.client->receive(base::Deadline::after(100ms)).kind, Kind::timeout);
}

TEST(Link, SurvivesTheRestartOfTheBroker) {
    Broker broker;
    const Ends ends = make_ends(broker.connect(), broker.connect());
    ends.client->send("before");
    EXPECT_EQ(ends.agent->receive(base::Deadline::after(5s)).text, "before");
    broker.kill();
    ends.client->send("meanwhile");
    std::this_thread::sleep_for(200ms);
    broker.start();
    ends.client->send("after");
    EXPECT_EQ(ends.agent->receive(base::Deadline::after(5s)).text, "meanwhile");
    EXPECT_EQ(ends.agent->receive(base::Deadline::after(5s)).text, "after");
}

TEST(Link, EndsWhenNothingIsHeardFromTheOtherEnd) {
    const Broker broker;
    const auto connection = broker.connect();
    const auto alone = Link::open(connection, "alone", Link::Side::client, {.beat = 50ms, .patience = 300ms});
    ASSERT_TRUE(alone.ok());
    const base::Stopwatch watch;
    EXPECT_EQ((*alone)->receive(base::Deadline::after(5s)).kind, Kind::end);
    EXPECT_LT(watch.seconds(), 2.0);
    EXPECT_THAT((*alone)->ending(), testing::HasSubstr("nothing was heard"));
}

TEST(Link, OutlivesTheBrokerItUsesWhenThereAreThree) {
    test::BrokerTrio trio;
    ConnectionSettings first = trio.settings();
    const Ends ends = make_ends(trio[0].connect(), Broker::connect_to(first));
    // The agent knows all three; the client's one stays.
    ends.agent->send("one");
    ASSERT_EQ(ends.client->receive(base::Deadline::after(5s)).text, "one");
    trio[1].kill();
    trio[2].kill();
    ends.agent->send("two");
    EXPECT_EQ(ends.client->receive(base::Deadline::after(5s)).text, "two");
}

}  // namespace
}  // namespace tsumugi::cluster
