// SPDX-License-Identifier: GPL-3.0-or-later
#include "mate/table.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "mate/loop_table.hpp"

namespace tsumugi::mate {
namespace {

using shogi::Hand;
using shogi::Kind;
using shogi::Move;

Hand hand(std::initializer_list<Kind> kinds) {
    Hand hand;
    for (const Kind k : kinds)
        hand.add(k);
    return hand;
}

TEST(MateTable, AnswersForLargerHandsWithAMateAndForSmallerOnesWithAFailure) {
    Table table = *Table::create(std::size_t{1} << 20);
    table.store_mate(1, hand({Kind::gold}), 5, Move::none(), 1);
    table.store_no_mate(2, hand({Kind::gold}), unlimited, 1);
    EXPECT_TRUE(table.find(1, hand({Kind::gold, Kind::pawn}), unlimited).numbers.proven());
    EXPECT_FALSE(table.find(1, hand({Kind::pawn}), unlimited).numbers.settled());
    EXPECT_TRUE(table.find(2, hand({}), unlimited).numbers.disproven());
    EXPECT_FALSE(table.find(2, hand({Kind::gold, Kind::pawn}), unlimited).numbers.settled());
}

TEST(MateTable, KeepsLengthsApart) {
    Table table = *Table::create(std::size_t{1} << 20);
    table.store_mate(1, hand({}), 9, Move::none(), 1);
    table.store_mate(1, hand({Kind::rook}), 3, Move::none(), 1);
    table.store_no_mate(1, hand({}), 7, 1);
    EXPECT_EQ(table.find(1, hand({Kind::rook}), unlimited).length, 3);
    EXPECT_EQ(table.find(1, hand({Kind::pawn}), unlimited).length, 9);
    EXPECT_TRUE(table.find(1, hand({}), 7).numbers.disproven());
    EXPECT_FALSE(table.find(1, hand({}), 8).numbers.settled());
}

TEST(MateTable, ForgetsThePreviousProblem) {
    Table table = *Table::create(std::size_t{1} << 20);
    table.store_mate(1, hand({}), 9, Move::none(), 1);
    table.new_problem();
    EXPECT_FALSE(table.find(1, hand({}), unlimited).known);
}

TEST(MateTable, GivesUpWhatTookTheLeastWork) {
    Table table = *Table::create(std::size_t{1} << 20);
    for (std::uint32_t i = 0; i < 20; ++i)
        table.store_open(1, hand({}), {1, 1}, 0, false, 1);
    // More hands of one board than a bucket has room for.
    for (int pawns = 0; pawns <= 18; ++pawns) {
        Hand held;
        held.add(Kind::pawn, pawns);
        table.store_open(1, held, {2, 2}, 0, false, pawns == 3 ? 1'000'000 : 1);
    }
    Hand costly;
    costly.add(Kind::pawn, 3);
    EXPECT_TRUE(table.find(1, costly, unlimited).known);
}

TEST(MateTable, LosesNextToNothingByGrowing) {
    Table table = *Table::create(std::size_t{1} << 20);
    base::Random random(3);
    std::vector<shogi::Key> boards;
    int grown = 0;
    for (int i = 0; i < 10'000; ++i) {
        boards.push_back(random());
        table.store_mate(boards.back(), hand({Kind::gold}), i, Move::none(), 1);
        if (!table.crowded()) continue;
        table.grow();
        ++grown;
    }
    EXPECT_GT(grown, 1);
    int found = 0;
    for (std::size_t i = 0; i < boards.size(); ++i)
        if (const Knowledge known = table.find(boards[i], hand({Kind::gold}), unlimited); known.numbers.proven()) {
            EXPECT_EQ(known.length, static_cast<Plies>(i));
            ++found;
        }
    // Only what a full bucket had to give up between two growths may be missing.
    EXPECT_GT(found, 9'500);
    table.new_problem();
    EXPECT_FALSE(table.find(boards[0], hand({Kind::gold}), unlimited).known);
}

TEST(Dependence, NamesTheLeastDepthsAndKnowsWhenThereAreMore) {
    Dependence d = Dependence::on(9);
    for (const int depth : {7, 9, 3, 5})
        d.merge(Dependence::on(depth));
    EXPECT_EQ(d.count(), 4U);
    EXPECT_FALSE(d.many());
    d.merge(Dependence::on(1));
    EXPECT_TRUE(d.many());
    EXPECT_EQ(d[0], 1);
    EXPECT_EQ(d.last(), 9);
    d.resolve(8);
    EXPECT_TRUE(d.many());
    EXPECT_EQ(d.last(), 7);
    d.resolve(2);
    EXPECT_EQ(d.count(), 1U);
    EXPECT_FALSE(d.many());
    d.resolve(1);
    EXPECT_TRUE(d.none());
}

TEST(Dependence, NeverForgetsThatTheSearchWasCutOff) {
    Dependence d = Dependence::on_nothing_known();
    for (const int depth : {1, 2, 3, 4, 5})
        d.merge(Dependence::on(depth));
    d.resolve(0);
    EXPECT_TRUE(d.unknown());
    EXPECT_FALSE(d.none());
}

TEST(LoopTable, RemembersAFailureForThePathsThatContainWhatItRestsOn) {
    constexpr shogi::Key failed = 99;
    Path path;
    for (shogi::Key board = 1; board <= 6; ++board)
        path.push(board, {});
    Dependence few = Dependence::on(1);
    Dependence many = few;
    for (const int depth : {0, 2, 3, 4})
        many.merge(Dependence::on(depth));
    LoopTable loops = *LoopTable::create(std::size_t{1} << 20);
    loops.store(failed, {}, unlimited, few, path);
    loops.store(failed + 1, {}, unlimited, many, path);

    Path other;
    for (const shogi::Key board : {7U, 2U})
        other.push(board, {});
    EXPECT_TRUE(loops.find(failed, {}, unlimited, other));
    EXPECT_FALSE(loops.find(failed + 1, {}, unlimited, other));
    path.pop();
    path.push(8, {});
    EXPECT_TRUE(loops.find(failed + 1, {}, unlimited, path));
    path.pop();
    path.pop();
    path.push(5, hand({Kind::pawn}));
    EXPECT_FALSE(loops.find(failed + 1, {}, unlimited, path));
    loops.grow();
    EXPECT_TRUE(loops.find(failed, {}, unlimited, other));
    loops.clear();
    EXPECT_FALSE(loops.find(failed, {}, unlimited, other));
}

}  // namespace
}  // namespace tsumugi::mate
