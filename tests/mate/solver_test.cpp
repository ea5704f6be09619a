// SPDX-License-Identifier: GPL-3.0-or-later
#include "mate/solver.hpp"

#include <gtest/gtest.h>

#include "mate/exhaustive.hpp"
#include "mate/quick.hpp"
#include "support/data.hpp"
#include "support/position.hpp"

namespace tsumugi::mate {
namespace {

using shogi::Color;
using shogi::Position;

Solver solver(std::size_t mebibytes = 16, int threads = 1) { return *Solver::create({mebibytes, threads}); }

Limits nodes(std::uint64_t count) {
    Limits limits;
    limits.nodes = count;
    return limits;
}

// Every move legal, every attacker's move a check, and no way out at the end.
void expect_mating_line(Position position, Color attacker, const std::vector<shogi::Move>& line) {
    for (const shogi::Move move : line) {
        ASSERT_TRUE(position.is_legal(move));
        const bool attacking = position.side_to_move() == attacker;
        position.do_move(move);
        if (attacking) {
            ASSERT_TRUE(position.in_check());
        }
    }
    EXPECT_EQ(position.side_to_move(), ~attacker);
    EXPECT_TRUE(position.in_check());
    EXPECT_FALSE(shogi::has_legal_move(position));
}

// Calls visit(position, attacker) for random problems, half of them with White attacking.
template <typename Visit>
void for_random_problems(int count, std::uint64_t seed, bool simple, Visit visit) {
    base::Random random(seed);
    for (int i = 0; i < count;) {
        const Color attacker = random.below(2) == 0 ? Color::black : Color::white;
        const auto position = Position::from(test::random_problem(random, attacker, simple));
        if (!position) continue;
        visit(*position, attacker);
        ++i;
    }
}

TEST(Solver, AgreesWithTheListOfAllPositionsOfSimpleProblems) {
    Solver one = solver();
    int mates = 0;
    int failures = 0;
    for_random_problems(1200, 7, true, [&](const Position& position, Color attacker) {
        const test::Exhaustive truth(position, attacker, 600);
        if (!truth.complete()) return;
        const std::string text = record::to_sfen(position.setup());
        const Verdict verdict = one.solve(position, attacker);
        ++(truth.length() ? mates : failures);
        EXPECT_EQ(verdict.outcome, truth.length() ? Outcome::mate : Outcome::no_mate) << text;
        if (truth.length()) {
            // Any mate is asked for: its length may be too long, never too short.
            EXPECT_GE(verdict.length(), *truth.length()) << text;
            EXPECT_EQ(one.solve_shortest(position, attacker).length(), *truth.length()) << text;
        }
    });
    EXPECT_GT(mates, 3);
    EXPECT_GT(failures, 40);
}

TEST(Solver, AgreesWithTryingEveryMoveOnShortMates) {
    constexpr int plies = 5;
    Solver one = solver();
    int mates = 0;
    int failures = 0;
    for_random_problems(250, 8, false, [&](const Position& position, Color attacker) {
        const std::string text = record::to_sfen(position.setup());
        Position copy = position;
        const auto truth = test::mate_within(copy, attacker, plies);
        const Verdict limited = one.solve(position, attacker, {}, {}, plies);
        ++(truth ? mates : failures);
        ASSERT_EQ(limited.outcome, truth ? Outcome::mate : Outcome::no_mate) << text;
        if (!truth) return;
        const Verdict any = one.solve(position, attacker);
        const Verdict shortest = one.solve_shortest(position, attacker);
        ASSERT_EQ(any.outcome, Outcome::mate) << text;
        ASSERT_EQ(shortest.outcome, Outcome::mate) << text;
        EXPECT_TRUE(shortest.shortest) << text;
        EXPECT_EQ(shortest.length(), *truth) << text;
        for (const Verdict& verdict : {limited, any, shortest})
            expect_mating_line(position, attacker, verdict.line);
    });
    EXPECT_GT(mates, 30);
    EXPECT_GT(failures, 30);
}

TEST(Solver, AgreesWithTheListWhenTheAttackersKingIsNear) {
    Solver one = solver();
    base::Random random(13);
    int in_check = 0;
    int mates = 0;
    for (int i = 0; i < 1500; ++i) {
        const Color attacker = i % 2 == 0 ? Color::black : Color::white;
        shogi::Setup setup = test::random_problem(random, attacker, true);
        test::bring_king_near(setup, random, attacker);
        const auto position = Position::from(setup);
        if (!position) continue;
        const test::Exhaustive truth(*position, attacker, 600);
        if (!truth.complete()) continue;
        in_check += position->in_check() ? 1 : 0;
        mates += truth.length() ? 1 : 0;
        EXPECT_EQ(one.solve(*position, attacker).outcome, truth.length() ? Outcome::mate : Outcome::no_mate)
            << record::to_sfen(setup);
        if (truth.length()) {
            EXPECT_EQ(one.solve_shortest(*position, attacker).length(), *truth.length()) << record::to_sfen(setup);
        }
    }
    EXPECT_GT(in_check, 100);
    EXPECT_GT(mates, 5);
}

TEST(Solver, AgreesWithTryingEveryMoveWhenTheDefenderMovesFirst) {
    constexpr int plies = 4;
    Solver one = solver();
    int mates = 0;
    int failures = 0;
    for_random_problems(80, 14, false, [&](const Position& position, Color attacker) {
        shogi::MoveList checks;
        shogi::checking_moves(position, checks);
        Position p = position;
        for (const shogi::Move check : checks) {
            p.do_move(check);
            const auto truth = test::mate_within(p, attacker, plies);
            const Verdict verdict = one.solve(p, attacker, {}, {}, plies);
            EXPECT_EQ(verdict.outcome, truth ? Outcome::mate : Outcome::no_mate) << record::to_sfen(p.setup());
            if (verdict.outcome == Outcome::mate) expect_mating_line(p, attacker, verdict.line);
            ++(truth ? mates : failures);
            p.undo_move();
        }
    });
    EXPECT_GT(mates, 30);
    EXPECT_GT(failures, 100);
}

TEST(Solver, KeepsToTheLimitOnPliesWhenItShortens) {
    Solver one = solver();
    const Position position = test::position("2B6/2p6/+Rpkp5/9/3G5/9/9/9/L8 b Prb3g4s4n3l14p 1");
    const auto within = [&](Plies plies) {
        return one.solve_shortest(position, Color::black, {}, {}, Counting::every_move, plies);
    };
    EXPECT_EQ(within(7).outcome, Outcome::no_mate);
    EXPECT_EQ(within(9).length(), 9);
    EXPECT_EQ(within(11).length(), 9);
}

TEST(QuickMate, FindsExactlyTheMatesOfOneAndThreePlies) {
    int mates = 0;
    for_random_problems(1000, 12, false, [&](const Position& position, Color attacker) {
        Position copy = position;
        const auto truth = test::mate_within(copy, attacker, quick_plies);
        std::uint64_t nodes = 0;
        const auto claim = quick_mate(position, nodes);
        ASSERT_EQ(claim.has_value(), truth.has_value()) << record::to_sfen(position.setup());
        if (!truth) return;
        EXPECT_EQ(claim->length, *truth) << record::to_sfen(position.setup());
        ++mates;
    });
    EXPECT_GT(mates, 100);
}

TEST(Solver, GivesTheSameVerdictsWithATableFarTooSmall) {
    Solver small = solver(1);
    Solver large = solver(64);
    int compared = 0;
    for_random_problems(60, 11, false, [&](const Position& position, Color attacker) {
        const Verdict a = small.solve(position, attacker, nodes(30'000));
        const Verdict b = large.solve(position, attacker, nodes(30'000));
        if (a.outcome == Outcome::unknown || b.outcome == Outcome::unknown) return;
        EXPECT_EQ(a.outcome, b.outcome) << record::to_sfen(position.setup());
        ++compared;
    });
    EXPECT_GT(compared, 20);
}

TEST(Solver, GivesTheSameVerdictsWithSeveralThreads) {
    Solver two = solver(16, 2);
    for (const auto& row : test::read_table(test::own_data("mate/problem.tsv"))) {
        const Position position = test::position(row[1]);
        const Verdict verdict = two.solve(position, position.side_to_move());
        ASSERT_EQ(verdict.outcome, row[2] == "none" ? Outcome::no_mate : Outcome::mate) << row[0];
        if (verdict.outcome == Outcome::mate) expect_mating_line(position, position.side_to_move(), verdict.line);
    }
    for_random_problems(150, 15, true, [&](const Position& position, Color attacker) {
        const test::Exhaustive truth(position, attacker, 600);
        if (!truth.complete()) return;
        EXPECT_EQ(two.solve(position, attacker).outcome, truth.length() ? Outcome::mate : Outcome::no_mate)
            << record::to_sfen(position.setup());
    });
}

TEST(Solver, KnowsTheShortestMates) {
    Solver one = solver();
    for (const auto& row : test::read_table(test::own_data("mate/problem.tsv"))) {
        const Position position = test::position(row[1]);
        const Verdict verdict = one.solve_shortest(position, position.side_to_move());
        if (row[2] == "none") {
            EXPECT_EQ(verdict.outcome, Outcome::no_mate) << row[0];
            continue;
        }
        ASSERT_EQ(verdict.outcome, Outcome::mate) << row[0];
        EXPECT_EQ(std::to_string(verdict.length()), row[2]) << row[0];
        EXPECT_TRUE(verdict.shortest) << row[0];
    }
}

TEST(Solver, LetsTheDefenderMoveFirst) {
    Solver one = solver();
    // The gold is guarded by the pawn in the one position and can be taken in the other.
    const Position mated = test::position("4k4/4G4/4P4/9/9/9/9/9/9 w 2G2r2bg4s4n4l17p 2");
    const Verdict verdict = one.solve(mated, Color::black);
    EXPECT_EQ(verdict.outcome, Outcome::mate);
    EXPECT_TRUE(verdict.line.empty());
    const Position free = test::position("4k4/4G4/9/9/9/9/9/9/9 w 2r2b3g4s4n4l18p 2");
    EXPECT_EQ(one.solve(free, Color::black).outcome, Outcome::no_mate);
}

TEST(Solver, SaysUnknownWhenItsLimitsEnd) {
    Solver one = solver();
    const Position position = test::position("9/9/9/4k4/9/9/9/9/9 b 2R2B4G4S4N4L18P 1");
    const Verdict verdict = one.solve(position, Color::black, nodes(2));
    EXPECT_EQ(verdict.outcome, Outcome::unknown);
    EXPECT_TRUE(verdict.line.empty());
    std::stop_source stop;
    stop.request_stop();
    const Position wide =
        test::position("l2g5/2s3g2/3k1p2p/P2pp2P1/1pP4s1/p1+B6/NP1P+nPS1P/K1G4+p1/L6NL b RBGNLPrs3p 1");
    EXPECT_EQ(one.solve(wide, Color::black, {}, stop.get_token()).outcome, Outcome::unknown);
}

TEST(Solver, SolvesTheCollectionBesideTheCheckout) {
    Solver one = solver(64);
    int rows = 0;
    for (const char* file : {"tsume/composed-tanuki.tsv", "tsume/game-mate05.tsv", "tsume/lessons-antma.tsv"}) {
        const auto path = test::shared_data(file);
        if (path.empty()) continue;
        int taken = 0;
        for (const auto& row : test::read_table(path)) {
            if (++taken % 5 != 0) continue;  // a fifth: the whole takes long in an instrumented build
            ++rows;
            const Position position = test::position(row[1]);
            const Verdict verdict = one.solve(position, position.side_to_move());
            EXPECT_EQ(verdict.outcome, row[2] == "nomate" ? Outcome::no_mate : Outcome::mate) << row[0];
        }
    }
    if (rows == 0) GTEST_SKIP() << "the collection of problems is not beside the checkout";
}

}  // namespace
}  // namespace tsumugi::mate
