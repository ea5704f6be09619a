// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/job.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/broker.hpp"
#include "cluster/cuttable_wire.hpp"
#include "cluster/job_stream.hpp"
#include "cluster/job_worker.hpp"

namespace tsumugi::cluster {
namespace {

using namespace std::chrono_literals;
using base::Error;
using base::Result;
using test::Broker;

constexpr JobSettings quick{.lease = 1000ms, .most_deliveries = 3};

// Workers on threads of their own, which end with the object.
class Crew {
public:
    void add(std::shared_ptr<Connection> connection, JobHandler handler, const JobSettings& settings = quick) {
        threads_.emplace_back(
            [connection = std::move(connection), handler = std::move(handler), settings](const std::stop_token& stop) {
                JobWorker(connection, {{"test", handler}}, settings).run(stop);
            });
    }

private:
    std::vector<std::jthread> threads_;
};

Result<std::string> twice(const Job& job, const std::stop_token& /*stop*/) { return job.payload + job.payload; }

// Results that are not confirmed in time come again, so a busy machine needs patience where none shall come twice.
JobBoard open_board(const std::shared_ptr<Connection>& connection, const std::string& run = "run1",
                    std::chrono::milliseconds lease = 20s) {
    auto board = JobBoard::open(connection, "test", run, {.lease = lease});
    if (!board) throw std::runtime_error(board.error().message);
    return *std::move(board);
}

// Confirmed results by number, until there are so many or time is up; a second result of a job is counted. Whoever
// takes results has to expect one after a broker was killed: it forgets what it had been told just before.
struct Collected {
    std::map<std::uint64_t, JobResult> results;
    int doubles = 0;
};
Collected collect(JobBoard& board, std::size_t count, std::chrono::milliseconds patience = 15s) {
    Collected collected;
    const base::Deadline deadline = base::Deadline::after(patience);
    while (collected.results.size() < count && !deadline.passed()) {
        auto received = board.next(200ms);
        if (!received) throw std::runtime_error(received.error().message);
        if (!*received) continue;
        const JobResult& result = (*received)->result();
        if (!collected.results.emplace(result.number, result).second) ++collected.doubles;
        while (!(*received)->confirm() && !deadline.passed())
            std::this_thread::sleep_for(100ms);
    }
    return collected;
}

// A worker confirms its job after the result, so a job may be there a moment longer.
bool comes_to_an_end(JobBoard& board) {
    const base::Deadline deadline = base::Deadline::after(5s);
    while (*board.outstanding() > 0 && !deadline.passed())
        std::this_thread::sleep_for(10ms);
    return *board.outstanding() == 0;
}

void post_all(JobBoard& board, std::uint64_t count) {
    for (std::uint64_t number = 0; number < count; ++number)
        ASSERT_TRUE(board.post(number, std::to_string(number)).ok());
}

// Three brokers need a moment to elect a leader before they take anything.
void wait_for_streams(Connection& connection) {
    const base::Deadline deadline = base::Deadline::after(20s);
    while (!prepare_streams(connection) && !deadline.passed())
        std::this_thread::sleep_for(100ms);
}

TEST(Jobs, AreDoneOnceEachByWhoeverIsThere) {
    const Broker broker;
    JobBoard board = open_board(broker.connect());
    post_all(board, 20);
    post_all(board, 20);  // changes nothing
    EXPECT_EQ(*board.outstanding(), 20U);
    std::atomic<int> count = 0;
    Crew crew;
    for (int i = 0; i < 3; ++i)
        crew.add(broker.connect(), [&](const Job& job, const std::stop_token& stop) {
            ++count;
            return twice(job, stop);
        });
    const Collected collected = collect(board, 20);
    ASSERT_EQ(collected.results.size(), 20U);
    EXPECT_EQ(collected.results.at(7).payload, "77");
    EXPECT_TRUE(collected.results.at(7).done);
    EXPECT_EQ(collected.doubles, 0);
    EXPECT_EQ(count, 20);
    EXPECT_TRUE(comes_to_an_end(board)) << "workers confirm a job after its result";
}

TEST(Jobs, GoToAnotherWorkerWhenOneFallsSilent) {
    const Broker broker;
    test::CuttableWire wire(broker.port());
    JobBoard board = open_board(broker.connect());
    post_all(board, 2);
    std::atomic<bool> begun = false;
    std::atomic<bool> mended = false;
    Crew crew;
    crew.add(Broker::connect_to({.servers = {wire.url()}}), [&](const Job& job, const std::stop_token& stop) {
        begun = true;
        while (!mended && !stop.stop_requested())
            std::this_thread::sleep_for(5ms);
        return twice(job, stop);
    });
    while (!begun)
        std::this_thread::sleep_for(5ms);
    wire.cut();
    crew.add(broker.connect(), twice);
    const Collected collected = collect(board, 2);
    EXPECT_EQ(collected.results.size(), 2U);
    // The first worker comes back with a result that is there already: nobody sees it twice.
    wire.mend();
    mended = true;
    const auto late = board.next(1500ms);
    ASSERT_TRUE(late.ok());
    EXPECT_FALSE(late->has_value());
}

TEST(Jobs, AreDoneInTheEndThoughTheBrokerIsKilled) {
    Broker broker;
    JobBoard board = open_board(broker.connect());
    post_all(board, 8);
    Crew crew;
    std::atomic<int> count = 0;
    crew.add(broker.connect(), [&](const Job& job, const std::stop_token& stop) {
        if (++count == 3) broker.kill();
        std::this_thread::sleep_for(20ms);
        return twice(job, stop);
    });
    while (count < 3)
        std::this_thread::sleep_for(5ms);
    std::this_thread::sleep_for(200ms);
    broker.start();
    // A confirmation that went down with the broker makes a result come again, under the same number.
    const Collected collected = collect(board, 8);
    EXPECT_EQ(collected.results.size(), 8U);
}

TEST(Jobs, KeepTheirResultsForACoordinatorThatComesBack) {
    const Broker broker;
    Crew crew;
    crew.add(broker.connect(), twice);
    {
        JobBoard board = open_board(broker.connect(), "run1", 1s);
        post_all(board, 6);
        // It dies with one result confirmed and one in its hands.
        const Collected collected = collect(board, 1);
        EXPECT_EQ(collected.results.size(), 1U);
        EXPECT_TRUE(board.next(2s)->has_value());
    }
    JobBoard board = open_board(broker.connect());
    const Collected collected = collect(board, 5);
    EXPECT_EQ(collected.results.size(), 5U);
    EXPECT_EQ(collected.doubles, 0);
    EXPECT_TRUE(board.withdraw().ok());
}

TEST(Jobs, ThatFailEverywhereAreGivenUpWithTheReason) {
    const Broker broker;
    JobBoard board = open_board(broker.connect());
    post_all(board, 2);
    Crew crew;
    std::atomic<int> attempts = 0;
    crew.add(broker.connect(), [&](const Job& job, const std::stop_token& stop) -> Result<std::string> {
        if (job.number == 0) return twice(job, stop);
        ++attempts;
        return Error{Error::Code::io, "there is no such net"};
    });
    const Collected collected = collect(board, 2);
    ASSERT_EQ(collected.results.size(), 2U);
    EXPECT_TRUE(collected.results.at(0).done);
    EXPECT_FALSE(collected.results.at(1).done);
    EXPECT_EQ(collected.results.at(1).payload, "there is no such net");
    EXPECT_EQ(attempts, quick.most_deliveries);
}

TEST(Jobs, ThatWereGivenUpCanBePostedAgain) {
    const Broker broker;
    JobBoard board = open_board(broker.connect());
    std::atomic<bool> works = false;
    Crew crew;
    crew.add(broker.connect(),
             [&](const Job& job, const std::stop_token& stop) -> Result<std::string> {
                 if (works) return twice(job, stop);
                 return Error{Error::Code::io, "not yet"};
             },
             {.lease = 1000ms, .most_deliveries = 1});
    post_all(board, 1);
    const Collected first = collect(board, 1);
    ASSERT_EQ(first.results.size(), 1U);
    EXPECT_FALSE(first.results.at(0).done);
    works = true;
    post_all(board, 1);
    const Collected second = collect(board, 1);
    ASSERT_EQ(second.results.size(), 1U);
    EXPECT_TRUE(second.results.at(0).done);
}

TEST(Jobs, ThatNobodyLetsGoOfAreNotPostedAgain) {
    const Broker broker;
    const auto connection = broker.connect();
    JobBoard board = open_board(connection, "run1", 100ms);
    post_all(board, 1);
    // A worker that stored its result, and died before it confirmed the job.
    ASSERT_TRUE(store_message(*connection, result_subject("run1", 0), "done\n00", "1").ok());
    ASSERT_EQ(collect(board, 1).results.size(), 1U);
    const auto posted = board.post(0, "0");
    ASSERT_FALSE(posted.ok());
    EXPECT_THAT(posted.error().message, testing::HasSubstr("no worker has let go of"));
    Crew crew;
    crew.add(broker.connect(), twice);
    EXPECT_TRUE(comes_to_an_end(board)) << "another worker does it and confirms it";
    EXPECT_TRUE(board.post(0, "0").ok());
}

TEST(Jobs, CanBeTakenBack) {
    const Broker broker;
    const auto connection = broker.connect();
    JobBoard board = open_board(connection);
    JobBoard other = open_board(connection, "run2");
    post_all(board, 5);
    post_all(other, 1);
    ASSERT_TRUE(board.withdraw().ok());
    Crew crew;
    crew.add(broker.connect(), twice);
    EXPECT_EQ(collect(other, 1).results.size(), 1U);
    EXPECT_TRUE(comes_to_an_end(other));
}

// Brokers elect leaders of streams and queues anew, one after the other, and what was under way to the dead one comes
// again after its lease: some 13 seconds on a free machine.
constexpr auto elections = 90s;
constexpr auto short_lease = 2s;

TEST(Jobs, OutliveTheLeaderOfThreeBrokers) {
    test::BrokerTrio trio;
    const ConnectionSettings settings = trio.settings();
    const auto connection = Broker::connect_to(settings);
    wait_for_streams(*connection);
    JobBoard board = open_board(connection, "run1", short_lease);
    post_all(board, 10);
    std::atomic<int> count = 0;
    Crew crew;
    crew.add(Broker::connect_to(settings), [&](const Job& job, const std::stop_token& stop) {
        if (++count == 4) trio[0].kill();
        return twice(job, stop);
    });
    const Collected collected = collect(board, 10, elections);
    EXPECT_EQ(collected.results.size(), 10U);
}

TEST(Jobs, OutliveABrokerOfThreeThatHangs) {
    test::BrokerTrio trio;
    const ConnectionSettings settings = trio.settings();
    const auto connection = Broker::connect_to(settings);
    wait_for_streams(*connection);
    JobBoard board = open_board(connection, "run1", short_lease);
    post_all(board, 10);
    std::atomic<int> count = 0;
    Crew crew;
    crew.add(Broker::connect_to(settings), [&](const Job& job, const std::stop_token& stop) {
        if (++count == 4) trio[0].signal(SIGSTOP);
        return twice(job, stop);
    });
    const Collected collected = collect(board, 10, elections);
    EXPECT_EQ(collected.results.size(), 10U);
    trio[0].signal(SIGCONT);
}

}  // namespace
}  // namespace tsumugi::cluster
