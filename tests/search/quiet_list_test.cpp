// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/quiet_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.hpp"

namespace tsumugi::search {
namespace {

using shogi::Move;

struct Entry {
    Move move;
    int score;
};

// Moves that can be told apart, with scores of which many are equal.
std::vector<Entry> random_entries(base::Random& random, std::size_t count, int widest) {
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < count; ++i) {
        const auto from =
            shogi::Square::from_index(shogi::Square::count - 1 - static_cast<int>(i / shogi::Square::count));
        const auto to = shogi::Square::from_index(static_cast<int>(i % shogi::Square::count));
        const auto width = static_cast<std::uint64_t>(2 * widest + 1);
        entries.push_back({Move::board(from, to), static_cast<int>(random.below(width)) - widest});
    }
    return entries;
}

TEST(QuietList, HandsOutMovesAsAStableSortWouldOrderThem) {
    base::Random random(5);
    for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 80U, 599U, 600U}) {
        for (const int widest : {3, 1000, -QuietList::any_score - 1}) {
            std::vector<Entry> entries = random_entries(random, count, widest);
            QuietList list;
            for (const Entry& entry : entries)
                list.add(entry.move, entry.score);
            list.finish();
            std::stable_sort(entries.begin(), entries.end(),
                             [](const Entry& a, const Entry& b) { return a.score > b.score; });
            for (const Entry& entry : entries)
                ASSERT_EQ(list.take_best(), entry.move);
            EXPECT_TRUE(list.take_best().is_none());
        }
    }
}

TEST(QuietList, KeepsWhatHasTooFewPoints) {
    base::Random random(6);
    std::vector<Entry> entries = random_entries(random, 100, 50);
    QuietList list;
    for (const Entry& entry : entries)
        list.add(entry.move, entry.score);
    list.finish();
    const auto good = std::count_if(entries.begin(), entries.end(), [](const Entry& e) { return e.score >= -10; });
    for (std::ptrdiff_t i = 0; i < good; ++i)
        ASSERT_FALSE(list.take_best(-10).is_none());
    EXPECT_TRUE(list.take_best(-10).is_none());
    for (auto i = static_cast<std::size_t>(good); i < entries.size(); ++i)
        ASSERT_FALSE(list.take_best().is_none());
    EXPECT_TRUE(list.take_best().is_none());
}

TEST(QuietList, AdjustsScoresBeforeTheFirstIsTaken) {
    base::Random random(7);
    const std::vector<Entry> entries = random_entries(random, 20, 5);
    QuietList list;
    for (const Entry& entry : entries)
        list.add(entry.move, entry.score);
    list.adjust([&](Move m) { return m == entries[13].move ? 100 : m == entries[4].move ? -100 : 0; });
    list.finish();
    EXPECT_EQ(list.take_best(), entries[13].move);
    for (int i = 0; i < 18; ++i)
        ASSERT_NE(list.take_best(), entries[4].move);
    EXPECT_EQ(list.take_best(), entries[4].move);
}

}  // namespace
}  // namespace tsumugi::search
