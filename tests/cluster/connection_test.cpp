// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/connection.hpp"

#include <atomic>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/broker.hpp"
#include "cluster/connection_file.hpp"
#include "cluster/membership.hpp"

namespace tsumugi::cluster {
namespace {

using namespace std::chrono_literals;
using test::Broker;
using testing::HasSubstr;

base::Result<ConnectionSettings> read(const std::string& text, const std::filesystem::path& folder = {}) {
    return base::read_toml(text, [&](const toml::table& root) { return read_connection(root, folder); });
}

TEST(ConnectionSettings, StayOnThisMachineUnlessTheFileSaysOtherwise) {
    const auto usual = read("");
    ASSERT_TRUE(usual.ok());
    EXPECT_EQ(usual->servers, (std::vector<std::string>{"nats://127.0.0.1:4222"}));
    EXPECT_FALSE(usual->tls);
    const test::TempFolder folder;
    std::ofstream(folder.path() / "secret") << "hush\n";
    const auto full = read(R"(
        servers = ["nats://a:4222", "nats://b:4222"]
        user = "agent"
        password_file = "secret"
        tls = true
        authority = "ca.pem"
        replicas = 3
    )",
                           folder.path());
    ASSERT_TRUE(full.ok()) << full.error().message;
    EXPECT_EQ(full->servers.size(), 2U);
    EXPECT_EQ(full->password, "hush");
    EXPECT_TRUE(full->tls);
    EXPECT_EQ(full->authority, folder.path() / "ca.pem");
}

TEST(ConnectionSettings, NameWhatIsWrong) {
    for (const auto& [text, complaint] :
         std::vector<std::pair<std::string, std::string>>{{"server = \"x\"", "unknown setting 'server'"},
                                                          {"servers = \"x\"", "servers is a list"},
                                                          {"tls = 1", "tls is true or false"},
                                                          {"tls = true", "say whom to trust"},
                                                          {"replicas = 9", "replicas is a number from 1 to 5"},
                                                          {"nkey = \"U\"", "belong together"},
                                                          {"certificate = \"c.pem\"", "belong together"},
                                                          {"password_file = \"missing\"", "missing"}}) {
        const auto settings = read(text);
        ASSERT_FALSE(settings.ok()) << text;
        EXPECT_THAT(settings.error().message, HasSubstr(complaint)) << text;
    }
}

TEST(Connection, AsksAndAnswers) {
    const Broker broker;
    const auto asking = broker.connect();
    const auto answering = broker.connect();
    const auto subscription = answering->subscribe("echo", [&](natsMsg& message) {
        EXPECT_TRUE(answering->respond(message, "you said " + payload_of(&message)).ok());
    });
    ASSERT_TRUE(subscription.ok());
    const auto answer = asking->request("echo", "hello", 2s);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ(*answer, "you said hello");
    EXPECT_FALSE(asking->request("nobody", "hello", 2s).ok());
    EXPECT_TRUE(asking->round_trip().ok());
    EXPECT_TRUE(asking->is_connected());
}

// The library's reader uses a subscription a little after it has looked it up, which crashed when it was freed in
// between.
TEST(Connection, CanStopListeningInTheMidstOfMessages) {
    const Broker broker;
    const auto talking = broker.connect();
    const auto listening = broker.connect();
    const std::jthread talker([&](const std::stop_token& stop) {
        while (!stop.stop_requested())
            EXPECT_TRUE(talking->publish("news", "nothing new").ok());
    });
    std::atomic<int> heard = 0;
    for (int i = 0; i < 300; ++i) {
        const auto subscription = listening->subscribe("news", [&](natsMsg&) { ++heard; });
        ASSERT_TRUE(subscription.ok()) << subscription.error().message;
        for (const int before = heard; heard == before;)
            std::this_thread::yield();
    }
    EXPECT_GE(heard, 300);
}

TEST(Connection, NeedsTheRightPasswordWhereThereIsOne) {
    const Broker broker("authorization { user: agent, password: right }");
    EXPECT_TRUE(broker.connect({.user = "agent", .password = "right"})->is_connected());
    ConnectionSettings wrong;
    wrong.servers = {broker.url()};
    wrong.user = "agent";
    wrong.password = "wrong";
    const auto refused = Connection::open(wrong);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message, HasSubstr(broker.url()));
}

TEST(Connection, ProvesWhoItIsByAKey) {
    // A pair that was made for this test and opens nothing else.
    const std::string known = "UDZS2DP522AIB77DA77QIWSYMUOZYZHSWU6EPFVPFZT3DTFSZOSGA36T";
    const test::TempFolder folder;
    std::ofstream(folder / "seed") << "SUAPGSHE2JEVT2XHGPBWCBUHHT5YDHIUSDGQ2J7V43I65MYA6IQZBUTDKY\n";
    const Broker broker("authorization { users: [ { nkey: " + known + " } ] }");
    EXPECT_TRUE(broker.connect({.nkey = known, .nkey_seed = folder / "seed"})->is_connected());
    EXPECT_FALSE(Connection::open({.servers = {broker.url()}}).ok()) << "nobody comes in without";
    const auto lost = Connection::open({.servers = {broker.url()}, .nkey = known, .nkey_seed = folder / "no-seed"});
    EXPECT_FALSE(lost.ok());
}

// A certificate that signs itself, with its key: NAME.pem and NAME.key.
void make_certificate(const std::filesystem::path& folder, const std::string& name,
                      const std::string& hosts = "IP:127.0.0.1,DNS:localhost") {
    base::Command command;
    command.words = {"openssl",
                     "req",
                     "-x509",
                     "-newkey",
                     "ec",
                     "-pkeyopt",
                     "ec_paramgen_curve:prime256v1",
                     "-nodes",
                     "-days",
                     "2",
                     "-subj",
                     "/CN=" + name,
                     "-addext",
                     "subjectAltName=" + hosts,
                     "-keyout",
                     (folder / (name + ".key")).string(),
                     "-out",
                     (folder / (name + ".pem")).string()};
    command.errors = base::Command::Errors::discard;
    auto process = base::Process::start(command);
    ASSERT_TRUE(process.ok()) << process.error().message;
    ASSERT_TRUE(process->wait(base::Deadline::after(20s)).has_value());
    ASSERT_TRUE(std::filesystem::exists(folder / (name + ".pem")));
}

TEST(Connection, TrustsOnlyBrokersWithTheRightCertificateAndShowsItsOwn) {
    const test::TempFolder folder;
    for (const char* name : {"broker", "agent", "stranger"})
        make_certificate(folder.path(), name);
    const auto file = [&](const char* name) { return folder / name; };
    const Broker broker("tls { cert_file: \"" + file("broker.pem").string() + "\", key_file: \"" +
                        file("broker.key").string() + "\", ca_file: \"" + file("agent.pem").string() +
                        "\", verify: true }");
    const ConnectionSettings right{.servers = {broker.url()},
                                   .tls = true,
                                   .authority = file("broker.pem"),
                                   .certificate = file("agent.pem"),
                                   .key = file("agent.key")};
    const auto connection = Broker::connect_to(right);
    ASSERT_TRUE(connection->is_connected());
    const auto subscription = connection->subscribe(
        "echo", [&](natsMsg& message) { EXPECT_TRUE(connection->respond(message, payload_of(&message)).ok()); });
    ASSERT_TRUE(subscription.ok());
    EXPECT_EQ(*connection->request("echo", "sealed", 2s), "sealed");

    ConnectionSettings deceived = right;
    deceived.authority = file("stranger.pem");
    EXPECT_FALSE(Connection::open(deceived).ok()) << "the broker's certificate is not the one we trust";
    ConnectionSettings unknown = right;
    unknown.certificate = file("stranger.pem");
    unknown.key = file("stranger.key");
    EXPECT_FALSE(Connection::open(unknown).ok()) << "the broker does not know our certificate";
    ConnectionSettings open = right;
    open.tls = false;
    open.certificate.clear();
    EXPECT_FALSE(Connection::open(open).ok()) << "without a certificate of our own";
}

TEST(Connection, TrustsNoBrokerWithTheCertificateOfAnotherHost) {
    const test::TempFolder folder;
    make_certificate(folder.path(), "elsewhere", "DNS:elsewhere.example");
    const Broker broker("tls { cert_file: \"" + (folder / "elsewhere.pem").string() + "\", key_file: \"" +
                        (folder / "elsewhere.key").string() + "\" }");
    ConnectionSettings settings{.servers = {broker.url()}, .tls = true, .authority = folder / "elsewhere.pem"};
    settings.tls_name = "elsewhere.example";
    EXPECT_TRUE(Broker::connect_to(settings)->is_connected());
    settings.tls_name = "broker.example";
    EXPECT_FALSE(Connection::open(settings).ok()) << "its certificate is right, its name is not";
}

TEST(Membership, ListsWhoIsAliveAndForgetsWhoLeaves) {
    const Broker broker;
    const auto connection = broker.connect();
    auto watcher = Membership::open(connection);
    ASSERT_TRUE(watcher.ok()) << watcher.error().message;
    EXPECT_TRUE(watcher->list()->empty());
    {
        auto own = Membership::open(broker.connect());
        ASSERT_TRUE(own.ok());
        const Presence presence(*std::move(own), "host-1", [] { return std::string("{\"cores\":2}"); });
        std::vector<Member> members;
        for (int i = 0; i < 200 && members.empty(); ++i) {
            std::this_thread::sleep_for(20ms);
            members = *watcher->list();
        }
        ASSERT_EQ(members.size(), 1U);
        EXPECT_EQ(members[0].name, "host-1");
        EXPECT_EQ(members[0].description, "{\"cores\":2}");
    }
    EXPECT_TRUE(watcher->list()->empty());
}

}  // namespace
}  // namespace tsumugi::cluster
