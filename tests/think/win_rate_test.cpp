// SPDX-License-Identifier: GPL-3.0-or-later
#include "think/win_rate.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tsumugi::think {
namespace {

constexpr Score centipawns(int value) { return {Score::Kind::centipawns, value, Score::Bound::exact}; }
constexpr Score mate(int plies) { return {Score::Kind::mate, plies, Score::Bound::exact}; }

TEST(WinRate, IsALogisticCurveOfTheScore) {
    EXPECT_DOUBLE_EQ(win_rate(centipawns(0)), 0.5);
    EXPECT_DOUBLE_EQ(win_rate(centipawns(400), 400), std::exp(1) / (1 + std::exp(1)));
    for (const int value : {1, 50, 700, 5000})
        EXPECT_DOUBLE_EQ(win_rate(centipawns(value)) + win_rate(centipawns(-value)), 1) << value;
}

TEST(WinRate, IsCertainOfAMate) {
    EXPECT_EQ(win_rate(mate(5)), 1);
    EXPECT_EQ(win_rate(mate(-2)), 0);
    EXPECT_EQ(win_rate(mate(0)), 0) << "mated already";
}

}  // namespace
}  // namespace tsumugi::think
