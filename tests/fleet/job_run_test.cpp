// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet/job_run.hpp"

#include <signal.h>

#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arena/match.hpp"
#include "cluster/host_network.hpp"
#include "eval/net.hpp"
#include "fleet/agent_support.hpp"
#include "fleet/book_run.hpp"
#include "fleet/duel_run.hpp"
#include "fleet/match_job.hpp"
#include "fleet/match_support.hpp"
#include "fleet/selfplay_job.hpp"
#include "fleet/selfplay_run.hpp"
#include "learn/selfplay_game.hpp"

namespace tsumugi::fleet {
namespace {

using namespace std::chrono_literals;
using base::Result;
using test::Broker;
using test::match_config;
using test::quick;
using test::run_match;

TEST(MatchJob, SurvivesTheWayThroughText) {
    arena::MatchConfig config = match_config("x", 2);
    config.engines[0].allowance.byoyomi = 100ms;
    config.engines[0].parameters = {{"A", "1"}};
    config.pool.play.adjudication.resign = {2000, 4};
    config.pool.play.adjudication.draw = {5, 6, 7};
    config.pool.play.adjudication.mate = {2};
    config.pool.on_failure = arena::FailurePolicy::replay;
    arena::Task task;
    task.number = 7;
    task.engine = {1, 0};
    const MatchJob job{config.engines, config.pool, {task}};
    const auto back = MatchJob::parse(job.to_text());
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back->to_text(), job.to_text());
    EXPECT_EQ(back->engines[1].cluster_name(), "mock");
    for (const char* text : {"", "[]", "{}", R"({"engines":[],"settings":{},"games":[]})"})
        EXPECT_FALSE(MatchJob::parse(text).ok()) << text;
    EXPECT_FALSE(MatchJobResult::parse(R"({"games":[{"number":1}],"annulled":[]})").ok());
}

TEST(MatchRun, PlaysEveryGameOnceThoughAnAgentIsKilledAndAnotherHangs) {
    const Broker broker;
    static_cast<void>(broker.connect());
    const std::string engine =
        fmt::format("[[engine]]\nname = \"mock\"\ncommand = \"{}/arena_mock_engine good\"\n", TSUMUGI_MOCK_DIR);
    const test::TempFolder folder;
    const arena::MatchConfig config = match_config(folder.path() / "match");
    const auto match = arena::Match::open(config);
    ASSERT_TRUE(match.ok()) << match.error().message;
    test::RemoteAgent doomed(test::agent_file(broker, "doomed", 1) + engine);
    test::RemoteAgent frozen(test::agent_file(broker, "frozen", 1) + engine);
    std::jthread trouble([&](const std::stop_token&) {
        EXPECT_TRUE(doomed.wait_for("begun"));
        doomed.signal(SIGKILL);
        EXPECT_TRUE(frozen.wait_for("begun"));
        frozen.signal(SIGSTOP);
        auto steady = test::agent_config(broker, "steady", 2);
        steady.engines = {test::offered_mock("mock", "good")};
        const test::LocalAgent agent(steady);
        while (!(*match)->complete())
            std::this_thread::sleep_for(20ms);
        frozen.signal(SIGCONT);
    });
    std::stop_source stop;
    const auto done = run_match(**match, config, broker.connect(), stop.get_token());
    EXPECT_TRUE(done.ok()) << done.error().message;
    trouble.join();
    EXPECT_TRUE((*match)->complete());
    EXPECT_EQ((*match)->standing().games(), test::match_games);
}

TEST(MatchRun, GoesOnAfterTheCoordinatorWasInterrupted) {
    const Broker broker;
    static_cast<void>(broker.connect());
    auto agent_config = test::agent_config(broker, "host", 1);
    agent_config.engines = {test::offered_mock("mock", "good")};
    const test::LocalAgent agent(agent_config);
    const test::TempFolder folder;
    const arena::MatchConfig config = match_config(folder.path() / "match", 12);
    {
        const auto match = arena::Match::open(config);
        ASSERT_TRUE(match.ok());
        std::stop_source stop;
        (*match)->on_game([&](const arena::StoredGame&, const arena::Standing& standing) {
            if (standing.games() >= 3) stop.request_stop();
        });
        EXPECT_TRUE(run_match(**match, config, broker.connect(), stop.get_token()).ok());
        EXPECT_FALSE((*match)->complete());
    }
    const auto match = arena::Match::open(config);
    ASSERT_TRUE(match.ok());
    EXPECT_GE((*match)->standing().games(), 3U);
    EXPECT_TRUE(run_match(**match, config, broker.connect(), {}).ok());
    EXPECT_TRUE((*match)->complete());
    EXPECT_EQ((*match)->standing().games(), 12U);
}

TEST(MatchRun, LosesNothingWhenCablesOfItsHostsArePulledOut) {
    enum Host { broker_host, unplugged_host, steady_host, coordinator_host, hosts };
    const test::HostNetwork network(hosts);
    if (!network.exists()) GTEST_SKIP() << "hosts of our own need root, iproute2 and network namespaces";
    const Broker broker({}, 4222, {test::HostNetwork::address(broker_host), network.inside(broker_host)});
    const std::string engine =
        fmt::format("[[engine]]\nname = \"mock\"\ncommand = \"{}/arena_mock_engine good\"\n", TSUMUGI_MOCK_DIR);
    const test::TempFolder folder;
    test::RemoteAgent unplugged(test::agent_file(broker, "unplugged", 1) + engine, network.inside(unplugged_host));
    test::RemoteAgent steady(test::agent_file(broker, "steady", 1) + engine, network.inside(steady_host));
    base::Command command;
    command.words = network.inside(coordinator_host);
    command.words.insert(command.words.end(), {std::string(TSUMUGI_MOCK_DIR) + "/fleet_mock_coordinator", broker.url(),
                                               (folder.path() / "match").string()});
    auto coordinator = base::Process::start(command);
    ASSERT_TRUE(coordinator.ok()) << coordinator.error().message;
    ASSERT_TRUE(unplugged.wait_for("begun"));
    network.cut(unplugged_host);
    std::this_thread::sleep_for(500ms);
    network.cut(coordinator_host);
    std::this_thread::sleep_for(1500ms);
    network.mend(coordinator_host);
    network.mend(unplugged_host);
    EXPECT_EQ(coordinator->read_line(base::Deadline::after(60s)).text, fmt::format("{} games", test::match_games));
    const auto status = coordinator->wait(base::Deadline::after(10s));
    ASSERT_TRUE(status.has_value());
    EXPECT_TRUE(status->success()) << status->describe();
}

TEST(MatchRun, NamesAnEngineThatNobodyHas) {
    const Broker broker;
    static_cast<void>(broker.connect());
    const test::LocalAgent agent(test::agent_config(broker, "host", 1));
    const test::TempFolder folder;
    arena::MatchConfig config = match_config(folder.path() / "match", 2);
    const auto match = arena::Match::open(config);
    ASSERT_TRUE(match.ok());
    JobRunSettings settings = quick();
    MatchRun run(**match, config);
    const auto done = run_jobs(run, broker.connect(), job_kind("match", 1), *run.name(), settings, {});
    ASSERT_FALSE(done.ok());
    EXPECT_THAT(done.error().message, testing::HasSubstr("there is no engine 'mock' here"));
}

learn::SelfplaySettings selfplay_settings(const std::filesystem::path& archive) {
    learn::SelfplaySettings settings;
    settings.archive = archive;
    settings.positions = 400;
    settings.nodes = 30;
    settings.table_mib = 1;
    settings.net = "material";
    settings.remembered_positions = 0;
    settings.end.max_moves = 60;
    return settings;
}

TEST(SelfplayRun, CollectsTheGamesThatOneMachineWouldHavePlayed) {
    const Broker broker;
    static_cast<void>(broker.connect());
    const test::LocalAgent first(test::agent_config(broker, "a", 1));
    const test::LocalAgent second(test::agent_config(broker, "b", 1));
    const test::TempFolder folder;
    const learn::SelfplaySettings settings = selfplay_settings(folder.path() / "games.tsa");
    {
        const auto run = SelfplayRun::open(settings, 3, [](const record::ArchivedGame&) {});
        ASSERT_TRUE(run.ok()) << run.error().message;
        const auto done = run_jobs(**run, broker.connect(), job_kind("selfplay", 1), (*run)->name(), quick(), {});
        ASSERT_TRUE(done.ok()) << done.error().message;
        EXPECT_GE((*run)->positions(), settings.positions);
    }
    auto reader = record::ArchiveReader::open(settings.archive);
    ASSERT_TRUE(reader.ok());
    auto evaluator = eval::choose_evaluator("material", {});
    ASSERT_TRUE(evaluator.ok());
    const arena::OpeningSuite suite;
    learn::Footprints footprints(0);
    learn::SelfplayPlayer player(settings, *evaluator, suite, footprints);
    std::set<std::uint64_t> numbers;
    for (record::ArchivedGame game; *reader->next(game);) {
        EXPECT_TRUE(numbers.insert(game.number).second) << "twice: " << game.number;
        EXPECT_EQ(player.play(game.number, {}), game);
    }
    EXPECT_GT(numbers.size(), 3U);
    const auto again = SelfplayRun::open(settings, 3, [](const record::ArchivedGame&) {});
    ASSERT_TRUE(again.ok());
    EXPECT_TRUE((*again)->complete()) << "nothing is left to do";
}

TEST(SelfplayRun, StoresAResultThatComesTwiceOnce) {
    const test::TempFolder folder;
    const learn::SelfplaySettings settings = selfplay_settings(folder.path() / "games.tsa");
    SelfplayJob job{settings, 6, 3};
    const auto back = SelfplayJob::parse(job.to_text());
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back->to_text(), job.to_text());
    const auto played = play(*back, {}, {});
    ASSERT_TRUE(played.ok()) << played.error().message;
    const auto run = SelfplayRun::open(settings, 3, [](const record::ArchivedGame&) {});
    ASSERT_TRUE(run.ok());
    ASSERT_TRUE((*run)->take(2, *played).ok());
    const auto games = (*run)->games();
    EXPECT_GT(games, 0U);
    ASSERT_TRUE((*run)->take(2, *played).ok());
    EXPECT_EQ((*run)->games(), games);
    job.settings.net = "/etc/passwd";
    EXPECT_FALSE(play(job, {}, {}).ok());
    job.settings.net = "sha256:0";
    EXPECT_FALSE(play(job, {}, {}).ok());
}

learn::bookmaking::ThinkSettings think_settings(std::size_t positions) {
    learn::bookmaking::ThinkSettings settings;
    settings.effort = {.nodes = 1000, .depth = {}, .lines = 2, .table_mib = 1};
    settings.positions = positions;
    return settings;
}

TEST(BookRun, StoresWhatOneMachineWouldHaveThought) {
    const Broker broker;
    static_cast<void>(broker.connect());
    const test::LocalAgent first(test::agent_config(broker, "a", 1));
    const test::LocalAgent second(test::agent_config(broker, "b", 1));
    const test::TempFolder folder;
    const auto settings = think_settings(12);
    const auto file = folder.path() / "shared.work";
    auto shared = learn::bookmaking::Workspace::open(file);
    ASSERT_TRUE(shared.ok()) << shared.error().message;
    std::size_t told = 0;
    BookRun run(*shared, file, settings, "material", 1, [&] { ++told; });
    const auto done = run_jobs(run, broker.connect(), job_kind("book", 1), run.name(), quick(), {});
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_TRUE(run.complete());
    EXPECT_EQ(told, settings.positions);
    EXPECT_EQ(shared->entries().size(), settings.positions);
    auto evaluator = eval::choose_evaluator("material", {});
    ASSERT_TRUE(evaluator.ok());
    for (const auto& [text, entry] : shared->entries()) {
        const auto position = *shogi::Position::from(entry.position);
        const auto expected = learn::bookmaking::Analyst(*evaluator, settings.effort).think(position, {}, {});
        for (const book::StoredMove& move : expected) {
            const book::StoredMove* found = entry.find(move.move);
            ASSERT_NE(found, nullptr) << text;
            EXPECT_EQ(*found, move) << text;
        }
    }
}

TEST(BookRun, GoesOnAfterTheCoordinatorWasInterrupted) {
    const Broker broker;
    static_cast<void>(broker.connect());
    const test::LocalAgent agent(test::agent_config(broker, "a", 1));
    const test::TempFolder folder;
    const auto file = folder.path() / "book.work";
    {
        auto workspace = learn::bookmaking::Workspace::open(file);
        ASSERT_TRUE(workspace.ok());
        std::stop_source stop;
        int told = 0;
        BookRun run(*workspace, file, think_settings(8), "material", 2, [&] {
            if (++told == 3) stop.request_stop();
        });
        ASSERT_TRUE(run_jobs(run, broker.connect(), job_kind("book", 1), run.name(), quick(), stop.get_token()).ok());
        EXPECT_FALSE(run.complete());
    }
    auto workspace = learn::bookmaking::Workspace::open(file);
    ASSERT_TRUE(workspace.ok());
    EXPECT_EQ(workspace->entries().size(), 3U) << "what was told is on the disk";
    BookRun run(*workspace, file, think_settings(5), "material", 2, [] {});
    ASSERT_TRUE(run_jobs(run, broker.connect(), job_kind("book", 1), run.name(), quick(), {}).ok());
    EXPECT_EQ(workspace->entries().size(), 8U);
    EXPECT_EQ(*workspace->steps("think"), 8U) << "what the first one had asked for was not lost or stored twice";
}

TEST(BookRun, StoresAnAnalysisThatComesTwiceOnceAndAsksForAPositionOnce) {
    const test::TempFolder folder;
    const auto file = folder.path() / "book.work";
    auto workspace = learn::bookmaking::Workspace::open(file);
    ASSERT_TRUE(workspace.ok());
    BookRun run(*workspace, file, think_settings(3), "material", 4, [] {});
    const auto piece = run.next();
    ASSERT_TRUE(piece);
    EXPECT_FALSE(run.next()) << "of an empty book there is one position to think about";
    const auto job = BookJob::parse(piece->payload);
    ASSERT_TRUE(job.ok()) << job.error().message;
    EXPECT_EQ(job->to_text(), piece->payload);
    EXPECT_EQ(job->number(), piece->number);
    const auto result = think(*job, {}, {});
    ASSERT_TRUE(result.ok()) << result.error().message;
    ASSERT_TRUE(run.take(piece->number, result->to_text()).ok());
    ASSERT_TRUE(run.take(piece->number, result->to_text()).ok());
    EXPECT_EQ(run.stored(), 1U);
    std::set<std::uint64_t> numbers{piece->number};
    while (const auto more = run.next())
        EXPECT_TRUE(numbers.insert(more->number).second);
    EXPECT_EQ(numbers.size(), 3U) << "so many positions were asked for";
}

TEST(BookJob, IsRefusedWithAPathOrAnImpossibleMove) {
    BookJob job{shogi::Setup::even(), think_settings(1).effort, "/etc/passwd"};
    EXPECT_FALSE(think(job, {}, {}).ok());
    job.net = "sha256:0";
    EXPECT_FALSE(think(job, {}, {}).ok());
    const std::string start =
        R"({"position":"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1","moves":[)";
    EXPECT_TRUE(BookJobResult::parse(start + R"({"move":"7g7f","reply":"3c3d","value":5,"depth":3}]})").ok());
    for (const char* moves : {R"({"move":"7g7e"}]})", R"({"move":"7g7f","reply":"7g7f"}]})", R"({}]})", "]", "7]}"})
        EXPECT_FALSE(BookJobResult::parse(start + moves).ok()) << moves;
    for (const char* text : {"", "[]", "{}", R"({"position":"x"})"})
        EXPECT_FALSE(BookJob::parse(text).ok()) << text;
}

DuelJob quick_duel() {
    DuelJob game;
    game.settings.maker_nodes = 200;
    game.settings.opponent_nodes = 50;
    game.settings.table_mib = 1;
    game.settings.max_moves = 40;
    game.settings.plies = 20;
    game.net = "material";
    game.opponents = {{"counting", "material"}};
    return game;
}

// Every game as if it were the only one of its round: what one machine with one worker would have played.
TEST(DuelRun, MakesTheBookThatOneMachineWouldHaveMade) {
    const Broker broker;
    static_cast<void>(broker.connect());
    const test::LocalAgent agent(test::agent_config(broker, "a", 1));
    const test::TempFolder folder;
    const DuelJob game = quick_duel();
    auto alone = learn::bookmaking::Workspace::open(folder.path() / "alone.work");
    auto shared = learn::bookmaking::Workspace::open(folder.path() / "shared.work");
    ASSERT_TRUE(alone.ok() && shared.ok());
    auto evaluator = eval::choose_evaluator("material", {});
    ASSERT_TRUE(evaluator.ok());
    const auto ignore = [](const learn::bookmaking::DuelReport&) {};
    ASSERT_TRUE(
        learn::bookmaking::duel(*alone, game.settings, *evaluator, {{"counting", *evaluator}}, 6, 1, ignore, {}).ok());
    JobRunSettings settings = quick();
    settings.window = 1;
    // A coordinator that is interrupted, and one that goes on.
    std::stop_source stop;
    for (const bool interrupted : {true, false}) {
        std::uint64_t games = 0;
        auto run = DuelRun::open(*shared, folder.path() / "shared.work", game, 6,
                                 [&](const learn::bookmaking::DuelReport& so_far) {
                                     games = so_far.games;
                                     if (interrupted && games == 2) stop.request_stop();
                                 });
        ASSERT_TRUE(run.ok()) << run.error().message;
        const auto done = run_jobs(**run, broker.connect(), job_kind("duel", 1), (*run)->name(), settings,
                                   interrupted ? stop.get_token() : std::stop_token());
        ASSERT_TRUE(done.ok()) << done.error().message;
        EXPECT_EQ(games, interrupted ? 2U : 4U);
        EXPECT_EQ((*run)->complete(), !interrupted);
    }
    ASSERT_EQ(shared->entries().size(), alone->entries().size());
    for (const auto& [text, entry] : alone->entries()) {
        const book::Entry* found = shared->find(entry.position);
        ASSERT_NE(found, nullptr) << text;
        EXPECT_EQ(found->moves, entry.moves) << text;
    }
}

TEST(DuelRun, StoresAGameThatComesTwiceOnceAndAsksForTheOthers) {
    const test::TempFolder folder;
    const auto file = folder.path() / "book.work";
    auto workspace = learn::bookmaking::Workspace::open(file);
    ASSERT_TRUE(workspace.ok());
    auto run = DuelRun::open(*workspace, file, quick_duel(), 3, [](const learn::bookmaking::DuelReport&) {});
    ASSERT_TRUE(run.ok());
    const auto piece = (*run)->next();
    ASSERT_TRUE(piece);
    const auto job = DuelJob::parse(piece->payload);
    ASSERT_TRUE(job.ok()) << job.error().message;
    EXPECT_EQ(job->to_text(), piece->payload);
    const auto result = play(*job, {}, {});
    ASSERT_TRUE(result.ok()) << result.error().message;
    for (int time = 0; time < 2; ++time)
        ASSERT_TRUE((*run)->take(piece->number, duel_result_text(*result)).ok());
    EXPECT_EQ(*workspace->steps("duel"), 1U);
    const auto later = (*run)->next();
    ASSERT_TRUE(later && (*run)->next());
    EXPECT_FALSE((*run)->next()) << "all three are handed out";
    // Game 2 has Black as its maker again, who now finds his first move in the book.
    const auto third = DuelRun::open(*workspace, file, quick_duel(), 3, [](const learn::bookmaking::DuelReport&) {});
    ASSERT_TRUE((*third)->next());
    EXPECT_FALSE(DuelJob::parse((*third)->next()->payload)->book.empty());
}

TEST(DuelJob, IsRefusedWithAPathOrAnImpossibleMove) {
    DuelJob job = quick_duel();
    job.opponents[0].net = "/etc/passwd";
    EXPECT_FALSE(play(job, {}, {}).ok());
    job = quick_duel();
    job.net = "sha256:0";
    EXPECT_FALSE(play(job, {}, {}).ok());
    for (const char* text : {"", "[]", "{}", R"({"number":1,"net":"","settings":{},"opponents":[],"book":[]})"})
        EXPECT_FALSE(DuelJob::parse(text).ok()) << text;
    const std::string start = R"({"number":1,"text":"","ending":"no trouble","changes":[{"reason":"","position":)"
                              R"("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1","move":)";
    EXPECT_TRUE(parse_duel_result(start + R"({"move":"7g7f"}}]})").ok());
    for (const char* rest : {R"({"move":"7g7e"}}]})", R"({}}]})", "7}]}", ""})
        EXPECT_FALSE(parse_duel_result(start + rest).ok()) << rest;
    EXPECT_FALSE(parse_duel_result(R"({"number":1,"text":"","ending":"mate","changes":[]})").ok());
}

}  // namespace
}  // namespace tsumugi::fleet
