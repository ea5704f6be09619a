// SPDX-License-Identifier: GPL-3.0-or-later
#include "mate/soundness.hpp"

#include <gtest/gtest.h>

#include "mate/exhaustive.hpp"
#include "support/position.hpp"

namespace tsumugi::mate {
namespace {

using shogi::Color;
using shogi::Position;

TEST(Futility, EndsAMateWhereTheCheckerTakesWhateverIsDropped) {
    // Rook 9a against king 1a. The silver on 3b guards 2a, so the rook may take even there.
    EXPECT_TRUE(ends_but_for_futility(test::position("R7k/6S2/8G/9/9/9/9/9/9 w r2b3g3s4n4l18p 2")));
    // Without it the king takes the rook on 2a.
    EXPECT_FALSE(ends_but_for_futility(test::position("R7k/9/8G/9/9/9/9/9/9 w r2b3g4s4n4l18p 2")));
    // With an escape on 2b there is more to play than interpositions.
    EXPECT_FALSE(ends_but_for_futility(test::position("R7k/6S2/9/9/9/9/9/9/9 w r2b4g3s4n4l18p 2")));
    // A plain mate: nothing to interpose.
    EXPECT_TRUE(ends_but_for_futility(test::position("4k4/4G4/4P4/9/9/9/9/9/9 w 2r2b3g4s4n4l17p 2")));
    // Not even in check.
    EXPECT_FALSE(ends_but_for_futility(test::position("4k4/9/9/9/9/9/9/9/9 w 2r2b4g4s4n4l18p 2")));
}

TEST(Futility, ShortensOnlyTheCountByCustom) {
    Solver solver = *Solver::create({16, 1});
    const Position position = test::position("8k/6S2/8G/9/R8/9/9/9/9 b r2b3g3s4n4l18p 1");
    const Verdict custom = solver.solve_shortest(position, Color::black, {}, {}, Counting::without_futile);
    const Verdict strict = solver.solve_shortest(position, Color::black, {}, {}, Counting::every_move);
    EXPECT_EQ(custom.length(), 1);
    EXPECT_TRUE(custom.shortest);
    EXPECT_EQ(strict.outcome, Outcome::mate);
    EXPECT_GT(strict.length(), 1);
}

TEST(Soundness, KnowsWhichChecksMate) {
    Solver solver = *Solver::create({16, 1});
    Limits limits;
    limits.nodes = 50'000;
    base::Random random(5);
    int mates = 0;
    for (int i = 0; i < 60;) {
        const auto position = Position::from(test::random_problem(random, Color::black, false));
        if (!position) continue;
        ++i;
        Position p = *position;
        for (const Trial& trial : try_checks(solver, *position, limits)) {
            p.do_move(trial.move);
            const auto truth = test::mate_within(p, Color::black, 2);
            p.undo_move();
            if (truth) {
                EXPECT_EQ(trial.outcome, Outcome::mate) << record::to_sfen(position->setup());
                ++mates;
            }
            if (trial.outcome == Outcome::mate) {
                EXPECT_GE(trial.length, truth ? *truth + 1 : 5);
            }
        }
    }
    EXPECT_GT(mates, 10);
}

TEST(Soundness, FindsASecondSolutionAndPiecesLeft) {
    Solver solver = *Solver::create({16, 1});
    // Two golds in hand where one is enough: the first check may be made in several ways.
    const Position cooked = test::position("4k4/9/3PPP3/9/9/9/9/9/9 b 2G2r2b2g4s4n4l15p 1");
    const Verdict verdict = solver.solve_shortest(cooked, Color::black);
    ASSERT_EQ(verdict.outcome, Outcome::mate);
    const Soundness found = examine(solver, cooked, verdict.line, {});
    EXPECT_TRUE(found.pieces_left);
    const Position single = test::position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    const Verdict one = solver.solve_shortest(single, Color::black);
    const Soundness clean = examine(solver, single, one.line, {});
    EXPECT_TRUE(clean.sound());
    EXPECT_FALSE(clean.pieces_left);
    // A longer line that begins with a sacrifice, though a gold mates at once: the short way is an alternative.
    const std::vector<shogi::Move> detour{test::usi("5c5b+"), test::usi("5a5b"), test::usi("G*5c")};
    const Soundness cooked_detour = examine(solver, cooked, detour, {});
    EXPECT_FALSE(cooked_detour.sound());
    EXPECT_EQ(cooked_detour.alternatives.front().ply, 0);
}

}  // namespace
}  // namespace tsumugi::mate
