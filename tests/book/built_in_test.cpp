// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/built_in.hpp"

#include <gtest/gtest.h>

#include "book/probe.hpp"
#include "book/tool/check.hpp"
#include "shogi/position.hpp"
#include "support/data.hpp"

namespace tsumugi::book {
namespace {

// The file that the build puts into the program.
std::filesystem::path shipped() { return std::filesystem::path(TSUMUGI_SOURCE_DIR) / "books/default.ybb"; }

TEST(BuiltInBook, IsCleanAndOfAModestSize) {
    const auto report = tool::check(
        shipped(), [](const std::string& complaint) { ADD_FAILURE() << complaint; },
        [](std::uint64_t, std::uint64_t) {});
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_TRUE(report->clean());
    EXPECT_GT(report->positions, 500U);
    EXPECT_EQ(report->empty, 0U);
    EXPECT_LT(std::filesystem::file_size(shipped()), 4U << 20);
}

// With the usual limits, both sides follow it for some moves from the start of an even game.
TEST(BuiltInBook, LeadsThroughTheOpening) {
    Shelf shelf;
    shelf.volumes.push_back({"built-in", built_in_book()});
    ASSERT_NE(shelf.volumes[0].book, nullptr);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        base::Random random(seed);
        shogi::Position position = shogi::Position::even();
        int moves = 0;
        for (; moves < 100; ++moves) {
            const ProbeResult found = probe(shelf, position, {}, {}, random);
            if (!found.chosen) break;
            const shogi::Move move = found.candidates[*found.chosen].stored.move;
            ASSERT_TRUE(position.is_legal(move));
            position.do_move(move);
        }
        EXPECT_GE(moves, 2) << "with seed " << seed;
    }
}

}  // namespace
}  // namespace tsumugi::book
