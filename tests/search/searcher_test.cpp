// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/searcher.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "eval/material.hpp"
#include "support/position.hpp"
#include "support/random_play.hpp"

namespace tsumugi::search {
namespace {

using think::Limits;
using think::Line;
using think::Milliseconds;
using think::Score;

// Keeps every line and checks that it can be played.
class Watcher : public think::Observer {
public:
    explicit Watcher(const shogi::Position& root) : root_(root) {}
    void on_line(const Line& line) override {
        shogi::Position p = root_;
        for (const shogi::Move move : line.moves) {
            ASSERT_TRUE(p.is_legal(move)) << record::to_usi(move) << " in " << record::to_sfen(p.setup());
            p.do_move(move);
        }
        ASSERT_FALSE(line.moves.empty());
        lines.push_back(line);
    }
    void on_text(const std::string&) override {}
    std::vector<Line> lines;

private:
    shogi::Position root_;
};

Settings small_settings(int threads = 1) {
    Settings settings;
    settings.threads = threads;
    settings.table.kibibytes = 4 * 1024;
    settings.pv_interval = Milliseconds(0);
    return settings;
}

class Fixture {
public:
    explicit Fixture(const Settings& settings = small_settings()) {
        searcher.configure(settings);
        searcher.set_evaluator(eval::material_evaluator());
        searcher.clear();
    }
    Outcome search(const shogi::Position& p, const Limits& limits, std::stop_token stop = {}) {
        Watcher watcher(p);
        Outcome outcome = searcher.search(p, limits, watcher, std::move(stop));
        lines = watcher.lines;
        return outcome;
    }
    Searcher searcher;
    std::vector<Line> lines;
};

Limits depth(int plies) {
    Limits limits;
    limits.depth = plies;
    return limits;
}
Limits nodes(std::uint64_t count) {
    Limits limits;
    limits.nodes = count;
    return limits;
}

TEST(Search, ClaimsNothingWhenItIsStoppedBeforeItBegins) {
    Fixture fixture;
    std::stop_source stop;
    stop.request_stop();
    const Outcome outcome = fixture.search(shogi::Position::even(), depth(20), stop.get_token());
    EXPECT_FALSE(outcome.best.is_none());
    EXPECT_EQ(outcome.score.kind, Score::Kind::centipawns);
}

TEST(Search, BelievesAMateItIsTaught) {
    const shogi::Position root = shogi::Position::even();
    Fixture fixture;
    const shogi::Move first = fixture.search(root, depth(6)).best;
    ASSERT_FALSE(first.is_none());
    // The move it would play loses to a mate, as it is told (wrongly).
    shogi::Position after = root;
    after.do_move(first);
    shogi::MoveList replies;
    shogi::legal_moves(after, replies);
    fixture.searcher.clear();
    fixture.searcher.teach_mate(after, *replies.begin(), 9);
    EXPECT_NE(fixture.search(root, depth(6)).best, first);
    // With no other move to play it says so.
    Limits only = depth(6);
    only.root_moves = {first};
    const Outcome lost = fixture.search(root, only);
    EXPECT_EQ(lost.score.kind, Score::Kind::mate);
    EXPECT_EQ(lost.score.value, -10);
    EXPECT_EQ(lost.lines[0].moves.size(), 2U);
}

TEST(Search, FindsShortMates) {
    struct Row {
        const char* sfen;
        int plies;
    };
    for (const Row& row : {Row{"8k/9/8P/9/9/9/9/9/K8 b G 1", 1}, Row{"7nl/7k1/6ppp/9/9/9/9/9/K8 b RGS 1", 3}}) {
        Fixture f;
        const Outcome outcome = f.search(test::position(row.sfen), depth(8));
        EXPECT_EQ(outcome.score.kind, Score::Kind::mate) << row.sfen;
        EXPECT_GT(outcome.score.value, 0) << row.sfen;
        EXPECT_EQ(outcome.score.value % 2, 1) << row.sfen;
    }
}

TEST(Search, CanLookForMatesInThreeAtItsLeaves) {
    const auto position = test::position("7nl/7k1/6p2/6S1p/9/9/9/9/9 b GS2r2b3g2s3n3l16p 1");  // mate in five
    Settings settings = small_settings();
    settings.parameters.mate_three_depth = 1;
    Fixture looking(settings);
    const Outcome found = looking.search(position, depth(3));
    EXPECT_EQ(found.score.kind, Score::Kind::mate);
    EXPECT_EQ(found.score.value, 5);
    Fixture plain;
    EXPECT_NE(plain.search(position, depth(3)).score.kind, Score::Kind::mate);
}

TEST(Search, KnowsThatBeingWithoutMovesIsLost) {
    Fixture f;
    const Outcome outcome = f.search(test::position("8k/8G/8P/9/9/9/9/9/K8 w - 1"), depth(3));
    EXPECT_TRUE(outcome.best.is_none());
}

TEST(Search, TakesAHangingRook) {
    Fixture f;
    const Outcome outcome = f.search(test::position("4k4/9/9/9/4r4/4P4/9/9/4K4 b - 1"), depth(4));
    EXPECT_EQ(record::to_usi(outcome.best), "5f5e");
}

TEST(Search, OfOneThreadAndFixedNodesIsReproducible) {
    const auto run = [] {
        Fixture f;
        const Outcome first = f.search(shogi::Position::even(), nodes(20'000));
        const Outcome second =
            f.search(test::position("ln2g1knl/1r3sgb1/3ppp1p1/p1s5p/2p3P2/PBRP1P2P/1P2PS1P1/4G1SK1/LN3G1NL b 2Pp 51"),
                     nodes(20'000));
        return std::make_tuple(first.best, first.score.value, first.depth, second.best, second.score.value,
                               second.nodes);
    };
    EXPECT_EQ(run(), run());
}

TEST(Search, StopsAtTheNodeLimit) {
    for (const std::uint64_t limit : {1ULL, 10ULL, 1'000ULL, 30'000ULL}) {
        Fixture f;
        const Outcome outcome = f.search(shogi::Position::even(), nodes(limit));
        EXPECT_LE(outcome.nodes, limit + 1);
        EXPECT_FALSE(outcome.best.is_none());
    }
}

TEST(Search, FinishesTheDepthInWhichTheSoftLimitFalls) {
    Fixture fixture;
    Limits limits;
    limits.soft_nodes = 5000;
    const Outcome outcome = fixture.search(shogi::Position::even(), limits);
    EXPECT_GE(outcome.nodes, 5000U);
    Fixture again;
    EXPECT_EQ(again.search(shogi::Position::even(), depth(outcome.depth)).nodes, outcome.nodes);
    Fixture shallower;
    EXPECT_LT(shallower.search(shogi::Position::even(), depth(outcome.depth - 1)).nodes, 5000U);
}

TEST(Search, AnswersLegallyWhereverItIsStopped) {
    Fixture f;
    int visited = 0;
    test::play_random_games(3, 200, 12, [&](shogi::Position& p) {
        if (++visited % 5 != 0 || !shogi::has_legal_move(p)) return;
        const Outcome outcome = f.search(p, nodes(static_cast<std::uint64_t>(visited % 50 + 1) * 10));
        EXPECT_TRUE(p.is_legal(outcome.best));
        if (outcome.ponder.is_none()) return;
        shogi::Position after = p;
        after.do_move(outcome.best);
        EXPECT_TRUE(after.is_legal(outcome.ponder));
    });
    EXPECT_GT(visited, 300);
}

TEST(Search, ShowsSeveralDifferentLinesBestFirst) {
    Settings settings = small_settings();
    settings.multi_pv = 4;
    Fixture f(settings);
    const Outcome outcome = f.search(shogi::Position::even(), depth(5));
    ASSERT_EQ(outcome.lines.size(), 4U);
    for (std::size_t i = 1; i < 4; ++i) {
        EXPECT_EQ(outcome.lines[i].rank, static_cast<int>(i) + 1);
        EXPECT_LE(outcome.lines[i].score.value, outcome.lines[i - 1].score.value);
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_NE(outcome.lines[i].moves[0], outcome.lines[j].moves[0]);
    }
}

TEST(Search, ConsidersOnlyTheMovesItIsGiven) {
    Fixture f;
    Limits limits = depth(4);
    limits.root_moves = {test::usi("9g9f"), test::usi("1g1f"), test::usi("5a5b")};
    const Outcome outcome = f.search(shogi::Position::even(), limits);
    EXPECT_TRUE(outcome.best == test::usi("9g9f") || outcome.best == test::usi("1g1f"));
}

TEST(Search, DeclaresItselfTheWinnerByEnteringKing) {
    Fixture f;
    const Outcome outcome = f.search(
        test::position("K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b 2L8Pb4p 1"), depth(4));
    EXPECT_EQ(outcome.score.kind, Score::Kind::mate);
}

TEST(Search, PrefersTheDrawOnlyWhenItIsWorse) {
    Settings settings = small_settings();
    settings.draw_value_black = 300;
    Fixture f(settings);
    shogi::Position p = shogi::Position::even();
    for (const char* move : {"2h3h", "8b7b", "3h2h", "7b8b"})
        p.do_move(test::usi(move));
    const Outcome outcome = f.search(p, depth(4));
    EXPECT_GE(outcome.score.value, 300);
}

TEST(Search, WithAClockKeepsWithinIt) {
    Fixture f;
    Limits limits;
    think::ClockState clock;
    clock.byoyomi = Milliseconds(400);
    limits.clock = clock;
    Settings settings = small_settings();
    settings.time.network_delay = Milliseconds(50);
    settings.time.network_delay_worst = Milliseconds(50);
    settings.time.minimum = Milliseconds(0);
    settings.time.round_up_to_second = false;
    f.searcher.configure(settings);
    const auto start = std::chrono::steady_clock::now();
    f.search(shogi::Position::even(), limits);
    EXPECT_LT(std::chrono::steady_clock::now() - start, Milliseconds(400));
}

TEST(SearchThreads, AgreeToStopAndAnswerOnce) {
    Fixture f(small_settings(4));
    std::stop_source stop;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(Milliseconds(100));
        stop.request_stop();
    });
    Limits limits;
    limits.infinite = true;
    const Outcome outcome = f.search(shogi::Position::even(), limits, stop.get_token());
    EXPECT_TRUE(shogi::Position::even().is_legal(outcome.best));
    EXPECT_TRUE(stop.stop_requested());
}

TEST(SearchThreads, PonderUntilTheHitAndThenAnswerInTime) {
    Fixture f(small_settings(2));
    Limits limits;
    limits.ponder = true;
    std::atomic<bool> done = false;
    Outcome outcome;
    std::jthread thinker([&] {
        outcome = f.search(shogi::Position::even(), limits);
        done = true;
    });
    std::this_thread::sleep_for(Milliseconds(150));
    EXPECT_FALSE(done);
    think::ClockState clock;
    clock.byoyomi = Milliseconds(100);
    const auto hit = std::chrono::steady_clock::now();
    f.searcher.ponder_hit(clock);
    thinker.join();
    EXPECT_TRUE(done);
    EXPECT_LT(std::chrono::steady_clock::now() - hit, std::chrono::seconds(5));
    EXPECT_FALSE(outcome.best.is_none());
}

TEST(SearchThreads, UseTheByoyomiAfterAHitHoweverLongTheyPondered) {
    Settings settings = small_settings(1);
    settings.time.network_delay = settings.time.network_delay_worst = settings.time.minimum = Milliseconds(0);
    settings.time.round_up_to_second = false;
    Fixture f(settings);
    Limits limits;
    limits.ponder = true;
    limits.clock.emplace().byoyomi = Milliseconds(200);
    std::jthread thinker([&] { f.search(shogi::Position::even(), limits); });
    std::this_thread::sleep_for(Milliseconds(400));
    const auto hit = std::chrono::steady_clock::now();
    f.searcher.ponder_hit(std::nullopt);
    thinker.join();
    EXPECT_GE(std::chrono::steady_clock::now() - hit, Milliseconds(120));
}

}  // namespace
}  // namespace tsumugi::search
