// SPDX-License-Identifier: GPL-3.0-or-later
#include "mate/verifier.hpp"

#include <gtest/gtest.h>

#include "support/position.hpp"

namespace tsumugi::mate {
namespace {

using shogi::Color;
using shogi::Position;

// Answers with one move, whatever the position.
Guide always(const char* move, Plies length) {
    return [=](const Position&, Plies) { return Claim{test::usi(move), length}; };
}

TEST(Verifier, AcceptsAMate) {
    const Position position = test::position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    Verifier verifier(Color::black, always("G*5b", 1));
    EXPECT_TRUE(verifier.verify(position, 1));
    EXPECT_EQ(verifier.line(position), std::vector{test::usi("G*5b")});
    EXPECT_EQ(verifier.checked(), 1U);
}

TEST(Verifier, RefusesAMoveThatIsIllegalOrNoCheckOrLeavesAnEscape) {
    const Position position = test::position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    for (const char* move : {"S*5b", "G*5g", "G*4b", "5c5b+"})
        EXPECT_FALSE(Verifier(Color::black, always(move, 1)).verify(position, 1)) << move;
}

TEST(Verifier, RefusesAPawnDroppedToMate) {
    // The pawn on 1b would mate: 2a and 2b are held, 1b is guarded.
    const Position position = test::position("8k/6G2/7+P1/9/9/9/9/9/9 b P2r2b3g4s4n4l16p 1");
    EXPECT_FALSE(Verifier(Color::black, always("P*1b", 1)).verify(position, 1));
}

TEST(Verifier, RefusesAClaimThatNeverBecomesShorter) {
    // A dragon that goes on giving check, always "mating in 9".
    const Position position = test::position("4k4/9/9/9/4R4/9/9/9/9 w r2b4g4s4n4l18p 1");
    const Guide guide = [](const Position& p, Plies) -> std::optional<Claim> {
        shogi::MoveList checks;
        shogi::checking_moves(p, checks);
        if (checks.empty()) return std::nullopt;
        return Claim{checks[0], 9};
    };
    EXPECT_FALSE(Verifier(Color::black, guide).verify(position, 12));
}

TEST(Verifier, RefusesWhenTheGuideHasNoAnswer) {
    const Position position = test::position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    EXPECT_FALSE(Verifier(Color::black, [](const Position&, Plies) { return std::nullopt; }).verify(position, 1));
}

}  // namespace
}  // namespace tsumugi::mate
