// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/table.hpp"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace tsumugi::search {
namespace {

using shogi::Move;
using shogi::Square;

Knowledge knowledge(int depth, Value value = 12, Bound bound = Bound::exact) {
    return {Move::board(Square::at(7, 7), Square::at(7, 6)), value, -34, depth, bound, true};
}

TEST(Table, GivesBackWhatWasStored) {
    Table table;
    table.resize({1024, TablePolicy::ageing, 0}, 1);
    EXPECT_FALSE(table.probe(42, 0));
    for (const Value value : {0, 1, -1, value_mate, -value_mate, value_none})
        for (const int depth : {-3, 0, 1, 60, max_ply - 1})
            for (const Bound bound : {Bound::upper, Bound::lower, Bound::exact}) {
                const shogi::Key key = 0x9E3779B97F4A7C15U * static_cast<shogi::Key>(value + 100 * depth + 7);
                table.clear(1);
                table.store(key, knowledge(depth, value, bound));
                const Knowledge found = table.probe(key, depth);
                ASSERT_TRUE(found);
                EXPECT_EQ(found.move, knowledge(0).move);
                EXPECT_EQ(found.value, value);
                EXPECT_EQ(found.evaluation, -34);
                EXPECT_EQ(found.depth, depth);
                EXPECT_EQ(found.bound, bound);
                EXPECT_TRUE(found.was_pv);
                EXPECT_FALSE(table.probe(key ^ 1, depth)) << "another position of the same cluster";
            }
}

TEST(Table, KeepsAMoveWhenTheSamePositionIsStoredWithout) {
    Table table;
    table.resize({1024, TablePolicy::ageing, 0}, 1);
    table.store(7, knowledge(5));
    Knowledge without = knowledge(9);
    without.move = Move::none();
    table.store(7, without);
    EXPECT_EQ(table.probe(7, 0).move, knowledge(0).move);
    EXPECT_EQ(table.probe(7, 0).depth, 9);
}

TEST(Table, GivesUpOldAndShallowEntriesFirst) {
    Table table;
    table.resize({1024, TablePolicy::ageing, 0}, 1);
    // Keys that differ only in low bits share a cluster of five.
    for (shogi::Key key = 1; key <= 5; ++key)
        table.store(key, knowledge(static_cast<int>(key) * 10));
    table.store(6, knowledge(3));
    EXPECT_FALSE(table.probe(1, 0));
    EXPECT_TRUE(table.probe(5, 0));
    for (int search = 0; search < 8; ++search)
        table.new_search();
    for (shogi::Key key = 11; key <= 15; ++key)
        table.store(key, knowledge(1));
    EXPECT_FALSE(table.probe(5, 0)) << "eight searches later, depth no longer protects it";
}

TEST(Table, AlternatingRemembersExactlyTheSearchBefore) {
    Table table;
    table.resize({2048, TablePolicy::alternating, 0}, 1);
    for (int search = 0; search < 100; ++search) {
        table.new_search();
        const auto key = static_cast<shogi::Key>(search + 1);
        table.store(key, knowledge(1));
        EXPECT_TRUE(table.probe(key, 0));
        for (int age = 1; age <= std::min(search, 2); ++age) {
            const bool known = static_cast<bool>(table.probe(static_cast<shogi::Key>(search + 1 - age), 0));
            EXPECT_EQ(known, age == 1) << search << ", " << age << " searches ago";
        }
    }
}

TEST(Table, AlternatingSkipsTheOlderTableNearTheLeaves) {
    Table table;
    table.resize({2048, TablePolicy::alternating, 4}, 1);
    table.new_search();
    table.store(9, knowledge(6));
    table.new_search();
    EXPECT_TRUE(table.probe(9, 4));
    EXPECT_FALSE(table.probe(9, 3));
}

TEST(Table, ClearingForgetsEverySearch) {
    Table table;
    table.resize({1024, TablePolicy::clearing, 0}, 1);
    for (int search = 0; search < 70; ++search) {
        table.new_search();
        EXPECT_FALSE(table.probe(9, 0)) << search;
        table.store(9, knowledge(6));
        EXPECT_TRUE(table.probe(9, 0));
    }
}

TEST(Table, TellsHowFullItIs) {
    Table table;
    table.resize({1024, TablePolicy::ageing, 0}, 1);
    EXPECT_EQ(table.permille_used(), 0);
    base::Random random(1);
    for (int i = 0; i < 400'000; ++i)
        table.store(random(), knowledge(1));
    EXPECT_GT(table.permille_used(), 950);
    table.new_search();
    EXPECT_EQ(table.permille_used(), 0) << "what an earlier search wrote may be overwritten";
}

// Writers race for the same entries; whatever a probe returns must have been stored for that key.
TEST(Table, NeverMixesEntriesOfDifferentThreads) {
    Table table;
    table.resize({1024, TablePolicy::ageing, 0}, 1);
    const auto value_for = [](shogi::Key key) { return static_cast<Value>(key * 7919 % 20011) - 10000; };
    std::vector<std::jthread> threads;
    std::atomic<int> wrong = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
        threads.emplace_back([&, seed] {
            base::Random random(seed);
            for (int i = 0; i < 50'000; ++i) {
                const shogi::Key key = random.below(64) + 1;
                Knowledge stored = knowledge(static_cast<int>(random.below(100)), value_for(key));
                stored.evaluation = -value_for(key);
                table.store(key, stored);
                const Knowledge found = table.probe(random.below(64) + 1, 0);
                const shogi::Key other = random.below(64) + 1;
                const Knowledge another = table.probe(other, 0);
                if (another && (another.value != value_for(other) || another.evaluation != -another.value)) ++wrong;
                if (found && found.evaluation != -found.value) ++wrong;
            }
        });
    threads.clear();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tsumugi::search
