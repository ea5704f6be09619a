// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/usi_client.hpp"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/notebook.hpp"
#include "support/position.hpp"

namespace tsumugi::protocol {
namespace {

using namespace std::chrono_literals;
using test::Notebook;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

base::Result<std::unique_ptr<UsiClient>> start(const std::string& fault) {
    UsiClient::Settings settings;
    settings.command.words = {TSUMUGI_MOCK_DIR "/protocol_mock_engine", fault};
    settings.handshake = 2s;
    settings.loading = 300ms;
    settings.stopping = 200ms;
    settings.overtime = 100ms;
    return UsiClient::start(std::move(settings));
}

std::unique_ptr<UsiClient> ready(const std::string& fault) {
    auto client = start(fault);
    if (!client) throw std::runtime_error(client.error().message);
    const auto prepared = (*client)->prepare();
    if (!prepared) throw std::runtime_error(prepared.error().message);
    return *std::move(client);
}

think::Limits quick() {
    think::Limits limits;
    limits.move_time = 10ms;
    return limits;
}

TEST(UsiClient, LearnsWhoItTalksTo) {
    const auto client = ready("");
    EXPECT_EQ(client->name(), "Mock");
    EXPECT_EQ(client->author(), "tests");
    ASSERT_EQ(client->options().all().size(), 3U);
    EXPECT_EQ(client->options().all()[1].name, "Book File");
    EXPECT_FALSE(client->options().set("Threads", "9").ok());
}

TEST(UsiClient, PlaysTheMovesOfTheEngineAndPassesOnItsThoughts) {
    const auto client = ready("");
    shogi::Position position = shogi::Position::even();
    for (int i = 0; i < 20; ++i) {
        Notebook notebook;
        const think::Answer answer = client->think(position, quick(), notebook, {});
        ASSERT_EQ(answer.kind, think::Answer::Kind::move);
        ASSERT_TRUE(position.is_legal(answer.move));
        if (i == 0) {
            ASSERT_EQ(notebook.lines.size(), 1U);
            EXPECT_EQ(notebook.lines[0].score.value, 12);
            EXPECT_EQ(notebook.lines[0].moves.size(), 2U);
        }
        position.do_move(answer.move);
    }
    EXPECT_FALSE(client->failure().has_value());
}

TEST(UsiClient, TellsOptionsOnceBeforeTheNextThought) {
    const auto client = ready("");
    ASSERT_TRUE(client->options().set("Threads", "4").ok());
    ASSERT_TRUE(client->options().set("Book File", "a b").ok());
    ASSERT_TRUE(client->options().set("Reset", "").ok());
    Notebook first;
    static_cast<void>(client->think(shogi::Position::even(), quick(), first, {}));
    EXPECT_THAT(first.texts, Contains("setoption name Threads value 4"));
    EXPECT_THAT(first.texts, Contains("setoption name Book File value a b"));
    EXPECT_THAT(first.texts, Contains("setoption name Reset"));
    Notebook second;
    static_cast<void>(client->think(shogi::Position::even(), quick(), second, {}));
    EXPECT_EQ(second.texts.size(), 1U) << "only the echo of go";
}

TEST(UsiClient, StopsAndPondersFromOtherThreads) {
    const auto client = ready("");
    think::Limits limits;
    limits.infinite = true;
    std::stop_source stop;
    Notebook notebook;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(30ms);
        stop.request_stop();
    });
    EXPECT_EQ(client->think(shogi::Position::even(), limits, notebook, stop.get_token()).kind,
              think::Answer::Kind::move);

    think::Limits ponder;
    ponder.ponder = true;
    ponder.ponder_signal = std::make_shared<think::PonderSignal>();
    std::jthread hitter([&] {
        std::this_thread::sleep_for(30ms);
        ponder.ponder_signal->hit(think::ClockState{{1s, 2s}, {}, 3s});
    });
    EXPECT_EQ(client->think(shogi::Position::even(), ponder, notebook, {}).kind, think::Answer::Kind::move);
    EXPECT_THAT(notebook.texts, Contains("ponderhit btime 1000 wtime 2000 byoyomi 3000"));
}

TEST(UsiClient, StopsAnEngineThatOverstepsItsTime) {
    const auto client = ready("needs-stop");
    Notebook notebook;
    EXPECT_EQ(client->think(shogi::Position::even(), quick(), notebook, {}).kind, think::Answer::Kind::move);
    EXPECT_FALSE(client->failure().has_value());
}

TEST(UsiClient, ReportsACrashAndStartsAnew) {
    const auto client = ready("crash");
    Notebook notebook;
    EXPECT_EQ(client->think(shogi::Position::even(), quick(), notebook, {}).kind, think::Answer::Kind::resign);
    ASSERT_TRUE(client->failure().has_value());
    EXPECT_EQ(client->failure()->kind, UsiClient::Failure::Kind::crash);
    EXPECT_THAT(client->failure()->text, HasSubstr("signal 11"));
    EXPECT_FALSE(client->is_running());
    EXPECT_EQ(client->think(shogi::Position::even(), quick(), notebook, {}).kind, think::Answer::Kind::resign);
    EXPECT_FALSE(client->prepare().ok());
    ASSERT_TRUE(client->restart().ok());
    EXPECT_TRUE(client->prepare().ok());
    EXPECT_TRUE(client->is_running());
}

TEST(UsiClient, EndsAnEngineThatHangsOrDoesNotStop) {
    for (const auto* fault : {"hang", "never-stops"}) {
        const auto client = ready(fault);
        Notebook notebook;
        const auto before = std::chrono::steady_clock::now();
        EXPECT_EQ(client->think(shogi::Position::even(), quick(), notebook, {}).kind, think::Answer::Kind::resign);
        EXPECT_LT(std::chrono::steady_clock::now() - before, 3s);
        ASSERT_TRUE(client->failure().has_value());
        EXPECT_EQ(client->failure()->kind, UsiClient::Failure::Kind::timeout) << fault;
        EXPECT_FALSE(client->is_running());
    }
}

TEST(UsiClient, KeepsAnEngineThatPlaysAnIllegalMove) {
    const auto client = ready("illegal");
    Notebook notebook;
    EXPECT_EQ(client->think(shogi::Position::even(), quick(), notebook, {}).kind, think::Answer::Kind::resign);
    ASSERT_TRUE(client->failure().has_value());
    EXPECT_EQ(client->failure()->kind, UsiClient::Failure::Kind::illegal_move);
    EXPECT_EQ(client->failure()->move, test::usi("7g7d"));
    EXPECT_TRUE(client->is_running());

    const auto talker = ready("nonsense");
    EXPECT_EQ(talker->think(shogi::Position::even(), quick(), notebook, {}).kind, think::Answer::Kind::resign);
    EXPECT_FALSE(talker->failure()->move.has_value());
}

TEST(UsiClient, IgnoresGarbage) {
    const auto client = ready("garbage");
    EXPECT_EQ(client->options().all().size(), 3U);
    Notebook notebook;
    EXPECT_EQ(client->think(shogi::Position::even(), quick(), notebook, {}).kind, think::Answer::Kind::move);
    EXPECT_EQ(notebook.lines.size(), 1U);
}

TEST(UsiClient, SaysWhyAProgramCannotBeUsed) {
    EXPECT_THAT(start("no-usiok").error().message, HasSubstr("no usiok within 2000 ms"));
    EXPECT_THAT(start("flood").error().message, HasSubstr("no usiok within 2000 ms"));
    EXPECT_THAT(start("exit-at-once").error().message, HasSubstr("exited with code 3"));
    UsiClient::Settings missing;
    missing.command.words = {"/nowhere/engine"};
    EXPECT_THAT(UsiClient::start(missing).error().message, HasSubstr("/nowhere/engine"));
    EXPECT_THAT((*start("crash-loading"))->prepare().error().message, HasSubstr("signal 11"));
    EXPECT_THAT((*start("hang-loading"))->prepare().error().message, HasSubstr("no readyok within 300 ms"));
}

TEST(UsiClient, WaitsForAnEngineThatShowsSignsOfLifeWhileLoading) {
    const auto client = start("slow-loading");  // 400 ms in all, with a blank line every 40 ms
    EXPECT_TRUE((*client)->prepare().ok());
}

}  // namespace
}  // namespace tsumugi::protocol
