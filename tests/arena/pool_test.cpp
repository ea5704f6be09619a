// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/pool.hpp"

#include <sched.h>

#include <filesystem>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "arena/mock_engine.hpp"
#include "base/thread.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::arena {
namespace {

using std::chrono::milliseconds;
using test::mock_engine;

// So many games between two engines with alternating colours; keeps what happens.
class GameList : public TaskSource {
public:
    explicit GameList(std::uint64_t games) : games_(games) {}

    std::optional<Task> next() override {
        if (next_ == games_) return std::nullopt;
        Task task;
        task.number = next_++;
        task.engine = task.number % 2 == 0 ? std::array<std::size_t, 2>{0, 1} : std::array<std::size_t, 2>{1, 0};
        return task;
    }
    base::Result<void> finished(const Task& task, const PlayedGame& game) override {
        played.push_back(game);
        numbers.insert(task.number);
        return {};
    }
    base::Result<void> annulled(const Task&, const PlayedGame& game) override {
        replayed.push_back(game);
        return {};
    }

    std::vector<PlayedGame> played;
    std::vector<PlayedGame> replayed;
    std::set<std::uint64_t> numbers;

private:
    std::uint64_t games_;
    std::uint64_t next_ = 0;
};

PoolSettings quick() {
    PoolSettings settings;
    settings.play.rules.max_moves = 30;
    settings.play.longest_think = milliseconds(300);
    settings.play.time_margin = milliseconds(30);
    settings.play.stop_patience = milliseconds(300);
    return settings;
}

// The games of an engine of this mode, which is Black in the first, against one that behaves.
GameList play_against(std::vector<std::string> mode, std::uint64_t games, const PoolSettings& settings = quick()) {
    GameList list(games);
    const std::vector<EngineSpec> engines{mock_engine("bad", std::move(mode)), mock_engine("good")};
    const auto done = play_all(list, engines, settings, {});
    EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().message);
    EXPECT_EQ(list.numbers.size(), games);
    return list;
}

// Hands out no game, but notes where it was asked from.
class CoreWatch : public TaskSource {
public:
    std::optional<Task> next() override {
        cpu_set_t set;
        CPU_ZERO(&set);
        EXPECT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
        EXPECT_EQ(CPU_COUNT(&set), 1);
        for (std::size_t core = 0; core < CPU_SETSIZE; ++core)
            if (CPU_ISSET(core, &set)) cores.insert(core);
        return std::nullopt;
    }
    base::Result<void> finished(const Task&, const PlayedGame&) override { return {}; }
    base::Result<void> annulled(const Task&, const PlayedGame&) override { return {}; }

    std::set<std::size_t> cores;
};

TEST(Pool, PinsEveryGameToACoreOfItsOwnAndLeavesTheCallerFree) {
    const int cores = base::available_cores();
    CoreWatch watch;
    PoolSettings settings;
    settings.concurrency = cores;
    settings.pin = true;
    ASSERT_TRUE(play_all(watch, {}, settings, {}).ok());
    EXPECT_EQ(watch.cores.size(), static_cast<std::size_t>(cores));
    EXPECT_EQ(base::available_cores(), cores);
}

TEST(Pool, PlaysEveryGameOnceWithSeveralThreads) {
    PoolSettings settings = quick();
    settings.concurrency = 3;
    const GameList list = play_against({"good"}, 10, settings);
    EXPECT_EQ(list.played.size(), 10U);
    for (const PlayedGame& game : list.played)
        EXPECT_EQ(game.verdict.reason, Reason::max_moves);
}

TEST(Pool, ScoresACrashAsALossAndStartsTheProgramAnew) {
    const GameList list = play_against({"crash", "4"}, 3);
    for (const PlayedGame& game : list.played) {
        EXPECT_EQ(game.verdict.reason, Reason::crash);
        EXPECT_NE(game.verdict.detail.find("code 3"), std::string::npos) << game.verdict.detail;
    }
    EXPECT_EQ(list.played[0].verdict.winner, shogi::Color::white);
    EXPECT_EQ(list.played[1].verdict.winner, shogi::Color::black);
    // It played three moves in every game: each began with a fresh program.
    EXPECT_EQ(list.played[0].moves.size(), 6U);
    EXPECT_EQ(list.played[1].moves.size(), 7U);
}

TEST(Pool, ReplaysACrashedGameWhenToldTo) {
    const test::TempFolder folder;
    PoolSettings settings = quick();
    settings.on_failure = FailurePolicy::replay;
    const GameList list = play_against({"crash-once", (folder / "mark").string()}, 2, settings);
    ASSERT_EQ(list.replayed.size(), 1U);
    EXPECT_EQ(list.replayed[0].verdict.reason, Reason::crash);
    for (const PlayedGame& game : list.played)
        EXPECT_EQ(game.verdict.reason, Reason::max_moves);
}

TEST(Pool, GivesUpReplayingAGameThatAlwaysFails) {
    PoolSettings settings = quick();
    settings.on_failure = FailurePolicy::replay;
    settings.replays = 2;
    const GameList list = play_against({"crash", "1"}, 1, settings);
    EXPECT_EQ(list.replayed.size(), 2U);
    EXPECT_EQ(list.played[0].verdict.reason, Reason::crash);
}

TEST(Pool, KillsAProgramThatHangsAndGoesOn) {
    const GameList list = play_against({"hang", "2"}, 2);
    for (const PlayedGame& game : list.played)
        EXPECT_EQ(game.verdict.reason, Reason::hang);
    EXPECT_EQ(list.played[0].verdict.winner, shogi::Color::white);
}

TEST(Pool, KillsAProgramThatFloodsAndGoesOn) {
    const GameList list = play_against({"flood", "2"}, 2);
    for (const PlayedGame& game : list.played)
        EXPECT_EQ(game.verdict.reason, Reason::hang);
}

TEST(Pool, ScoresGarbageAndIllegalMovesAsLosses) {
    const GameList garbage = play_against({"garbage", "2"}, 1);
    EXPECT_EQ(garbage.played[0].verdict.reason, Reason::garbage);
    EXPECT_EQ(garbage.played[0].verdict.winner, shogi::Color::white);
    const GameList illegal = play_against({"illegal", "2"}, 1);
    EXPECT_EQ(illegal.played[0].verdict.reason, Reason::illegal_move);
    EXPECT_EQ(illegal.played[0].verdict.detail, "5i5a");
    EXPECT_EQ(illegal.played[0].verdict.winner, shogi::Color::white);
}

TEST(Pool, ScoresAWrongDeclarationAsALoss) {
    const GameList list = play_against({"declare", "3"}, 1);
    EXPECT_EQ(list.played[0].verdict.reason, Reason::wrong_declaration);
    EXPECT_EQ(list.played[0].verdict.winner, shogi::Color::white);
}

TEST(Pool, ScoresALateAnswerAsALossOnTimeAndKeepsTheProgram) {
    GameList list(2);
    std::vector<EngineSpec> engines{mock_engine("late", {"late", "250"}), mock_engine("good")};
    engines[0].allowance = {};
    engines[0].allowance.byoyomi = milliseconds(100);
    ASSERT_TRUE(play_all(list, engines, quick(), {}).ok());
    for (const PlayedGame& game : list.played)
        EXPECT_EQ(game.verdict.reason, Reason::time) << game.verdict.detail;
}

TEST(Pool, ForgivesWhatIsWithinTheMargin) {
    GameList list(1);
    std::vector<EngineSpec> engines{mock_engine("late", {"late", "60"}), mock_engine("good")};
    engines[0].allowance = {};
    engines[0].allowance.byoyomi = milliseconds(50);
    PoolSettings settings = quick();
    settings.play.time_margin = milliseconds(2000);
    settings.play.rules.max_moves = 6;
    ASSERT_TRUE(play_all(list, engines, settings, {}).ok());
    EXPECT_EQ(list.played[0].verdict.reason, Reason::max_moves);
}

TEST(Pool, PondersThroughAGame) {
    GameList list(2);
    std::vector<EngineSpec> engines{mock_engine("ponder", {"ponder"}), mock_engine("good")};
    engines[0].ponder = true;
    ASSERT_TRUE(play_all(list, engines, quick(), {}).ok());
    for (const PlayedGame& game : list.played)
        EXPECT_EQ(game.verdict.reason, Reason::max_moves) << game.verdict.detail;
}

TEST(Pool, EndsGamesThatBothPlayersGiveUp) {
    GameList list(1);
    const std::vector<EngineSpec> engines{mock_engine("winner", {"score", "5000"}),
                                          mock_engine("loser", {"score", "-5000"})};
    PoolSettings settings = quick();
    settings.play.adjudication.resign = AdjudicationSettings::Resign{3000, 3};
    ASSERT_TRUE(play_all(list, engines, settings, {}).ok());
    EXPECT_EQ(list.played[0].verdict.reason, Reason::adjudicated_resign);
    EXPECT_EQ(list.played[0].verdict.winner, shogi::Color::black);
    EXPECT_EQ(list.played[0].moves.size(), 7U);
}

TEST(Pool, SaysWhichProgramCannotBeStarted) {
    GameList list(1);
    const std::vector<EngineSpec> engines{mock_engine("good"), mock_engine("broken", {"no-start"})};
    const auto done = play_all(list, engines, quick(), {});
    ASSERT_FALSE(done.ok());
    EXPECT_NE(done.error().message.find("broken"), std::string::npos) << done.error().message;
    EXPECT_TRUE(list.played.empty());
}

TEST(Pool, StopsAtOnceWhenAsked) {
    GameList list(1000);
    const std::vector<EngineSpec> engines{mock_engine("slow", {"late", "100"}), mock_engine("good")};
    std::stop_source stop;
    base::Result<void> done;
    std::jthread player([&] { done = play_all(list, engines, quick(), stop.get_token()); });
    std::this_thread::sleep_for(milliseconds(300));
    stop.request_stop();
    player.join();
    EXPECT_TRUE(done.ok());
    EXPECT_LT(list.played.size(), 10U);
}

TEST(Pool, TriesOtherNumbersOfTheSearchInOurOwnEngine) {
    EngineSpec own;
    own.name = "own";
    own.allowance.nodes = 300;
    const auto moves_with = [&](const OptionValues& parameters) {
        EngineSpec changed = own;
        changed.parameters = parameters;
        GameList list(1);
        const std::vector<EngineSpec> engines{changed, changed};
        EXPECT_TRUE(play_all(list, engines, quick(), {}).ok());
        std::vector<shogi::Move> moves;
        for (const PlayedMove& move : list.played.at(0).moves)
            moves.push_back(move.move);
        return moves;
    };
    const auto usual = moves_with({});
    EXPECT_EQ(moves_with({}), usual) << "the same numbers play the same game";
    EXPECT_NE(moves_with({{"LmrBase", "150"}, {"QsFutility", "500"}, {"LmpBase", "1"}}), usual);
    for (const OptionValues& wrong : {OptionValues{{"LmrBase", "99999"}}, OptionValues{{"Luck", "1"}}}) {
        own.parameters = wrong;
        GameList list(1);
        EXPECT_FALSE(play_all(list, std::vector<EngineSpec>{own, own}, quick(), {}).ok());
    }
}

TEST(Pool, LetsOurOwnEnginePlayInside) {
    EngineSpec own;
    own.name = "own";
    own.allowance.nodes = 1000;
    GameList list(2);
    const std::vector<EngineSpec> engines{own, mock_engine("good")};
    PoolSettings settings = quick();
    settings.play.rules.max_moves = 400;
    ASSERT_TRUE(play_all(list, engines, settings, {}).ok());
    EXPECT_EQ(list.played[0].verdict.winner, shogi::Color::black) << "against random moves";
    EXPECT_EQ(list.played[1].verdict.winner, shogi::Color::white);
    EXPECT_GT(list.played[0].moves[0].nodes, 0U);
}

}  // namespace
}  // namespace tsumugi::arena
