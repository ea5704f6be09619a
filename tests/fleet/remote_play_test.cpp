// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ensemble/consultation.hpp"
#include "ensemble/group_support.hpp"
#include "fleet/agent_support.hpp"

// Engines of other hosts as players of a group.
namespace tsumugi::fleet {
namespace {

using namespace std::chrono_literals;
using ensemble::Consultation;
using ensemble::MemberConfig;
using test::Broker;
using testing::Contains;
using testing::HasSubstr;
using think::Answer;

MemberConfig far(const std::string& engine, const std::string& agent = {}) {
    MemberConfig member;
    member.name = engine + agent;
    member.engine = engine;
    member.agent = agent;
    return member;
}

std::unique_ptr<Consultation> make_group(const Broker& broker, std::vector<MemberConfig> members) {
    ensemble::Config config;
    config.members = std::move(members);
    config.cluster.servers = {broker.url()};
    return test::make_group<Consultation>(std::move(config));
}

TEST(RemotePlay, LetsEnginesOfAnAgentVote) {
    const Broker broker;
    static_cast<void>(broker.connect());
    auto config = test::agent_config(broker, "host1");
    config.engines = {test::offered_mock("mock", "good", 2)};
    const test::LocalAgent agent(config);
    test::wait_for_agents(broker, 1);
    const auto group = make_group(broker, {far("mock"), far("mock", "host1"), test::own("here")});
    const auto prepared = group->prepare();
    ASSERT_TRUE(prepared.ok()) << prepared.error().message;
    group->new_game();
    test::Notebook notebook;
    const Answer answer = group->think(shogi::Position::even(), test::nodes(100), notebook, {});
    EXPECT_EQ(answer.kind, Answer::Kind::move);
    EXPECT_THAT(notebook.texts, Contains(HasSubstr("of 3 votes")));
}

TEST(RemotePlay, StartsOnlyWhatTheAgentNamesAndAsOftenAsItSays) {
    const Broker broker;
    static_cast<void>(broker.connect());
    auto config = test::agent_config(broker, "host1");
    config.engines = {test::offered_mock("mock", "good", 1)};
    const test::LocalAgent agent(config);
    test::wait_for_agents(broker, 1);
    const auto group =
        make_group(broker, {far("mock"), far("mock", "host1"), far("sh", "host1"), far("mock", "host2")});
    const auto prepared = group->prepare();
    ASSERT_FALSE(prepared.ok());
    EXPECT_THAT(prepared.error().message, HasSubstr("there is no engine 'sh' here"));
    EXPECT_THAT(prepared.error().message, HasSubstr("agent host2"));
    EXPECT_THAT(prepared.error().message, testing::ContainsRegex("(all 1 sessions of 'mock' are in use|has room)"));
    test::Notebook notebook;
    EXPECT_EQ(group->think(shogi::Position::even(), test::nodes(100), notebook, {}).kind, Answer::Kind::move);
    EXPECT_THAT(notebook.texts, Contains(HasSubstr("1 of 1 votes")));
}

// A game against the clock while the host of a player dies, hangs, or the broker goes and comes back.
void play_through(Broker& broker, Consultation& group, const std::function<void(int)>& trouble) {
    static_cast<void>(broker);
    shogi::Position position = shogi::Position::even();
    for (int ply = 0; ply < 5; ++ply) {
        trouble(ply);
        test::Notebook notebook;
        Answer answer;
        const double seconds =
            test::seconds_of([&] { answer = group.think(position, test::byoyomi(500ms), notebook, {}); });
        EXPECT_LT(seconds, 0.5) << ply;
        ASSERT_EQ(answer.kind, Answer::Kind::move) << ply;
        ASSERT_TRUE(position.is_legal(answer.move)) << ply;
        position.do_move(answer.move);
    }
}

TEST(RemotePlay, LosesNoGameWhenHostsOrBrokersFail) {
    Broker broker;
    static_cast<void>(broker.connect());
    const std::string engine =
        fmt::format("[[engine]]\nname = \"mock\"\ncommand = \"{}/arena_mock_engine good\"\n", TSUMUGI_MOCK_DIR);
    test::RemoteAgent doomed(test::agent_file(broker, "doomed") + engine);
    test::RemoteAgent frozen(test::agent_file(broker, "frozen") + engine);
    test::wait_for_agents(broker, 2);
    const auto group = make_group(broker, {test::own("here"), far("mock", "doomed"), far("mock", "frozen")});
    ASSERT_TRUE(group->prepare().ok());
    group->new_game();
    play_through(broker, *group, [&](int ply) {
        if (ply == 1) doomed.signal(SIGKILL);
        if (ply == 2) frozen.signal(SIGSTOP);
        if (ply == 3) broker.kill();
        if (ply == 4) broker.start();
    });
    frozen.signal(SIGCONT);
}

}  // namespace
}  // namespace tsumugi::fleet
