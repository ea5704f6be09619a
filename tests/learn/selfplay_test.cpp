// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/selfplay.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <set>
#include <thread>

#include "learn/entering_king.hpp"
#include "shogi/movegen.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::learn {
namespace {

using record::ArchivedEnd;
using record::ArchivedGame;
using record::HcpeResult;

SelfplaySettings quick(const std::filesystem::path& archive) {
    SelfplaySettings settings;
    settings.archive = archive;
    settings.nodes = 60;
    settings.positions = 1500;
    settings.table_mib = 1;
    settings.remembered_positions = 0;
    return settings;
}

void play(const SelfplaySettings& settings) {
    auto selfplay = Selfplay::open(settings);
    ASSERT_TRUE(selfplay) << selfplay.error().message;
    const auto done = (*selfplay)->run([](const ArchivedGame&) {}, {});
    ASSERT_TRUE(done) << done.error().message;
}

std::vector<ArchivedGame> read_all(const std::filesystem::path& path) {
    auto reader = record::ArchiveReader::open(path);
    if (!reader) throw std::runtime_error(reader.error().message);
    std::vector<ArchivedGame> games;
    for (ArchivedGame game;;) {
        const auto more = reader->next(game);
        if (!more) throw std::runtime_error(more.error().message);
        if (!*more) return games;
        games.push_back(game);
    }
}

// The last position of a game and whether the stated end is what the rules say of it.
void expect_right_end(const ArchivedGame& game, const SelfplaySettings& settings) {
    auto position = *shogi::Position::from(game.start);
    for (const auto& ply : game.plies)
        position.do_move(ply.move);
    const auto winner = game.result == HcpeResult::black_win ? shogi::Color::black : shogi::Color::white;
    switch (game.end) {
        case ArchivedEnd::mate:
            EXPECT_FALSE(shogi::has_legal_move(position));
            EXPECT_EQ(winner, ~position.side_to_move());
            break;
        case ArchivedEnd::repetition:
            EXPECT_EQ(position.game_repetition(), shogi::Repetition::draw);
            EXPECT_EQ(game.result, HcpeResult::draw);
            break;
        case ArchivedEnd::adjudicated: {
            const auto& last = game.plies.back();
            // The position that the last move was played in belonged to the other side.
            const int score = winner == ~position.side_to_move() ? last.score : -last.score;
            EXPECT_GE(score, settings.end.score);
            EXPECT_NE(game.result, HcpeResult::draw);
            break;
        }
        case ArchivedEnd::max_moves:
            EXPECT_EQ(game.plies.size(), static_cast<std::size_t>(settings.end.max_moves));
            EXPECT_EQ(game.result, HcpeResult::draw);
            break;
        case ArchivedEnd::declaration:
            EXPECT_TRUE(shogi::can_declare_win(position, position.in_check(), settings.end.declaration));
            EXPECT_EQ(winner, position.side_to_move());
            break;
        case ArchivedEnd::perpetual_check: EXPECT_NE(position.game_repetition(), shogi::Repetition::none); break;
        case ArchivedEnd::other: ADD_FAILURE() << "a game of ours has a known end";
    }
}

TEST(Selfplay, PlaysGamesThatEndAsTheySay) {
    const test::TempFolder folder;
    SelfplaySettings settings = quick(folder / "a");
    settings.end.played_out_share = 0.5;
    play(settings);
    const auto games = read_all(folder / "a");
    ASSERT_GE(games.size(), 5U);
    std::size_t plies = 0;
    for (const ArchivedGame& game : games) {
        SCOPED_TRACE(game.number);
        expect_right_end(game, settings);
        plies += game.plies.size();
        for (std::size_t i = 0; i < game.plies.size(); ++i)
            if (i < 7) {
                EXPECT_FALSE(game.plies[i].has_score()) << "random moves have none";
            }
        EXPECT_TRUE(game.plies.back().has_score());
    }
    EXPECT_GE(plies, settings.positions);
}

TEST(Selfplay, ThreadsDoNotChangeAGame) {
    const test::TempFolder folder;
    play(quick(folder / "one"));
    SelfplaySettings settings = quick(folder / "two");
    settings.workers = 2;
    play(settings);
    std::map<std::uint64_t, ArchivedGame> first;
    for (const ArchivedGame& game : read_all(folder / "one"))
        first[game.number] = game;
    std::size_t common = 0;
    for (const ArchivedGame& game : read_all(folder / "two")) {
        const auto same = first.find(game.number);
        if (same == first.end()) continue;
        EXPECT_EQ(same->second, game);
        ++common;
    }
    EXPECT_GE(common, first.size() - 2);
}

TEST(Selfplay, AnotherSeedGivesOtherGames) {
    const test::TempFolder folder;
    play(quick(folder / "one"));
    SelfplaySettings settings = quick(folder / "two");
    settings.seed = 2;
    play(settings);
    EXPECT_NE(read_all(folder / "one").front().plies, read_all(folder / "two").front().plies);
}

TEST(Selfplay, EverySharingOfTablesPlays) {
    const test::TempFolder folder;
    for (const TableSharing sharing : {TableSharing::each, TableSharing::cleared}) {
        SelfplaySettings settings = quick(folder / std::to_string(static_cast<int>(sharing)));
        settings.positions = 300;
        settings.sharing = sharing;
        play(settings);
        EXPECT_GE(read_all(settings.archive).size(), 1U);
    }
}

TEST(Selfplay, DropsAGameThatFollowsAnother) {
    const test::TempFolder folder;
    SelfplaySettings settings = quick(folder / "a");
    settings.remembered_positions = 1 << 16;
    settings.opening.fewest_random_plies = settings.opening.most_random_plies = 0;
    settings.opening.sampled_plies = 0;
    settings.opening.late_random_share = 0;
    settings.end.played_out_share = 0;
    settings.positions = 2000;
    // Without any randomness all games are the same: one is kept.
    auto selfplay = Selfplay::open(settings);
    ASSERT_TRUE(selfplay);
    std::stop_source enough;
    std::jthread timer([&](const std::stop_token& ended) {
        for (int i = 0; i < 40 && !ended.stop_requested(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        enough.request_stop();
    });
    ASSERT_TRUE((*selfplay)->run([](const ArchivedGame&) {}, enough.get_token()));
    EXPECT_EQ(read_all(folder / "a").size(), 1U);
    EXPECT_GE((*selfplay)->tally().dropped_games, 1U);
}

// Runs in a process of its own until it is killed.
pid_t start_playing(const SelfplaySettings& settings) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    auto selfplay = Selfplay::open(settings);
    if (!selfplay) ::_exit(1);
    const auto done = (*selfplay)->run([](const ArchivedGame&) {}, {});
    ::_exit(done ? 0 : 2);
}

TEST(Selfplay, SurvivesBeingKilledAgainAndAgain) {
    const test::TempFolder folder;
    SelfplaySettings settings = quick(folder / "a");
    settings.nodes = 20;
    settings.positions = 1'000'000;
    std::vector<ArchivedGame> before;
    for (int round = 0; round < 6; ++round) {
        const pid_t child = start_playing(settings);
        ASSERT_GT(child, 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(300 + 70 * round));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status)) << "it ended by itself: " << WEXITSTATUS(status);
        const auto now = read_all(folder / "a");
        ASSERT_GE(now.size(), before.size());
        for (std::size_t i = 0; i < before.size(); ++i)
            ASSERT_EQ(now[i], before[i]);
        before = now;
    }
    const std::uint64_t lost_at_most = before.empty() ? 0 : before.back().plies.size();
    settings.positions = lost_at_most + 4000;
    for (const ArchivedGame& game : before)
        settings.positions += game.plies.size();
    play(settings);
    const auto after = read_all(folder / "a");
    EXPECT_GT(after.size(), before.size());
    std::set<std::uint64_t> numbers;
    for (const ArchivedGame& game : after)
        EXPECT_TRUE(numbers.insert(game.number).second) << "number " << game.number << " twice";
}

TEST(EnteringKing, StartsArePossibleAndShowAnEnteredKing) {
    base::Random random(7);
    for (int i = 0; i < 200; ++i) {
        const shogi::Setup setup = entering_king_start(random);
        const auto position = shogi::Position::from(setup);
        ASSERT_TRUE(position) << position.error().message;
        EXPECT_TRUE(position->king(shogi::Color::black).rank() <= 4 || position->king(shogi::Color::white).rank() >= 6);
        int pieces = position->all().count();
        for (const shogi::Color c : shogi::both_colors)
            for (const shogi::Kind kind : shogi::hand_kinds)
                pieces += position->hand(c).count(kind);
        EXPECT_EQ(pieces, 40);
    }
}

}  // namespace
}  // namespace tsumugi::learn
