// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "eval/material.hpp"
#include "search/searcher.hpp"
#include "search/table.hpp"
#include "support/position.hpp"

namespace tsumugi::search {
namespace {

using shogi::Move;
using shogi::Square;

// Different positions on the same place: the low bits of a key only tell positions apart.
constexpr shogi::Key rival(unsigned number) { return number * 0x9E37'79B1U; }

Knowledge result(int depth, std::uint32_t size = 1) {
    return {Move::board(Square::at(7, 7), Square::at(7, 6)), 12, -34, depth, Bound::lower, false, size};
}

class SchemeTable : public Table {
public:
    explicit SchemeTable(TableScheme scheme, TablePolicy policy = TablePolicy::ageing) {
        resize({64, policy, 0, scheme}, 1);
        new_search();
    }
    void add(unsigned number, int depth, std::uint32_t size = 1) { store(rival(number), result(depth, size)); }
    // Which of the positions 1 to 9 are known.
    [[nodiscard]] std::vector<unsigned> known() const {
        std::vector<unsigned> numbers;
        for (unsigned number = 1; number <= 9; ++number)
            if (probe(rival(number), 0)) numbers.push_back(number);
        return numbers;
    }
};

using Numbers = std::vector<unsigned>;

template <typename F>
void for_each_scheme(F&& check) {
    for (const auto& [name, scheme] : table_schemes) {
        SCOPED_TRACE(name);
        check(scheme);
    }
}

TEST(TableScheme, GivesBackWhatWasStoredWhateverItIs) {
    for_each_scheme([](TableScheme scheme) {
        SchemeTable table(scheme);
        base::Random random(7);
        for (int i = 0; i < 200; ++i) {
            const shogi::Key key = random();
            table.clear(1);
            table.store(key, result(i % 100, static_cast<std::uint32_t>(i)));
            const Knowledge found = table.probe(key, 0);
            ASSERT_TRUE(found);
            EXPECT_EQ(found.move, result(0).move);
            EXPECT_EQ(found.value, 12);
            EXPECT_EQ(found.evaluation, -34);
            EXPECT_EQ(found.depth, i % 100);
            EXPECT_EQ(found.bound, Bound::lower);
            EXPECT_FALSE(table.probe(key ^ 256, 0));
        }
    });
}

TEST(TableScheme, DeepKeepsTheDeeperAndAmongEqualsTheNewer) {
    SchemeTable table(TableScheme::deep);
    table.add(1, 5);
    table.add(2, 4);
    EXPECT_EQ(table.known(), Numbers{1});
    table.add(3, 5);
    EXPECT_EQ(table.known(), Numbers{3});
    table.add(4, 6);
    EXPECT_EQ(table.known(), Numbers{4});
}

TEST(TableScheme, NewKeepsTheNewcomerAndOldTheResident) {
    SchemeTable newest(TableScheme::newest);
    newest.add(1, 9);
    newest.add(2, 1);
    EXPECT_EQ(newest.known(), Numbers{2});
    SchemeTable oldest(TableScheme::oldest);
    oldest.add(1, 1);
    oldest.add(2, 9);
    EXPECT_EQ(oldest.known(), Numbers{1});
}

TEST(TableScheme, BigKeepsTheLargerTreeWhateverItsDepth) {
    for (const TableScheme scheme : {TableScheme::big1, TableScheme::big_all}) {
        SchemeTable table(scheme);
        table.add(1, 2, 1000);
        table.add(2, 9, 10);
        EXPECT_EQ(table.known(), Numbers{1});
        table.add(3, 1, 1500);
        EXPECT_EQ(table.known(), Numbers{3});
    }
}

TEST(TableScheme, OnlyBigAllTellsHowLargeTheTreeWas) {
    for_each_scheme([](TableScheme scheme) {
        for (const std::uint32_t size : {1U, 7U, 1000U, 123'456'789U, ~0U}) {
            SchemeTable table(scheme);
            table.add(1, 3, size);
            const std::uint32_t told = table.probe(rival(1), 0).size;
            if (scheme == TableScheme::big_all) {
                EXPECT_NEAR(told, size, size / 4.0);
            } else {
                EXPECT_EQ(told, 0U);
            }
        }
    });
}

TEST(TableScheme, TwoLevelsKeepTheBestAndTheNewest) {
    for (const TableScheme scheme : {TableScheme::two_deep, TableScheme::two_big}) {
        SchemeTable table(scheme);
        table.add(1, 5, 500);
        table.add(2, 3, 300);
        EXPECT_EQ(table.known(), (Numbers{1, 2}));
        table.add(3, 2, 200);
        EXPECT_EQ(table.known(), (Numbers{1, 3})) << "the newest takes the second place";
        table.add(4, 7, 700);
        EXPECT_EQ(table.known(), (Numbers{1, 4})) << "who loses the first place goes to the second";
        table.add(5, 1, 100);
        EXPECT_EQ(table.known(), (Numbers{4, 5}));
    }
}

TEST(TableScheme, APositionIsPromotedWithoutLosingItsRival) {
    SchemeTable table(TableScheme::two_deep);
    table.add(1, 5);
    table.add(2, 3);
    table.add(2, 8);
    EXPECT_EQ(table.known(), (Numbers{1, 2}));
    table.add(3, 6);
    EXPECT_EQ(table.known(), (Numbers{2, 3})) << "the deepest is now the second";
}

TEST(TableScheme, ThreeSlotsKeepTheDeepestAndTheTwoNewest) {
    SchemeTable table(TableScheme::three_slot);
    table.add(1, 9);
    table.add(2, 3);
    table.add(3, 2);
    EXPECT_EQ(table.known(), (Numbers{1, 2, 3}));
    table.add(4, 1);
    EXPECT_EQ(table.known(), (Numbers{1, 3, 4}));
    table.add(5, 10);
    EXPECT_EQ(table.known(), (Numbers{1, 4, 5}));
}

TEST(TableScheme, APositionAlwaysGivesWayToItsOwnNewerResult) {
    for_each_scheme([](TableScheme scheme) {
        SchemeTable table(scheme);
        table.add(1, 5, 500);
        table.add(1, 6, 2);
        EXPECT_EQ(table.probe(rival(1), 0).depth, 6);
        Knowledge shallow = result(1, 2);
        shallow.move = Move::board(Square::at(2, 7), Square::at(2, 6));
        table.store(rival(1), shallow);
        EXPECT_EQ(table.probe(rival(1), 0).depth, 6) << "a clearly deeper result stays";
        EXPECT_EQ(table.probe(rival(1), 0).move, shallow.move) << "with the newer move";
    });
}

TEST(TableScheme, WhatEarlierSearchesLeftGivesWay) {
    for_each_scheme([](TableScheme scheme) {
        if (scheme == TableScheme::modern) return;  // there, depth makes up for age
        SchemeTable table(scheme);
        table.add(1, 50, 50'000);
        table.new_search();
        EXPECT_EQ(table.known(), Numbers{1});
        table.add(2, 1, 1);
        EXPECT_EQ(table.known(), Numbers{2});
    });
}

TEST(TableScheme, WorksWithEveryPolicy) {
    for_each_scheme([](TableScheme scheme) {
        SchemeTable alternating(scheme, TablePolicy::alternating);
        SchemeTable clearing(scheme, TablePolicy::clearing);
        for (unsigned search = 1; search <= 70; ++search) {
            const unsigned here = 1 + search % 3;
            const unsigned before = 1 + (search + 2) % 3;
            alternating.add(here, 4);
            clearing.add(here, 4);
            if (search > 1) {
                EXPECT_EQ(alternating.known(), (Numbers{std::min(here, before), std::max(here, before)}));
            }
            EXPECT_EQ(clearing.known(), Numbers{here});
            alternating.new_search();
            clearing.new_search();
        }
    });
}

TEST(TableScheme, UsesTheWholeMemory) {
    for_each_scheme([](TableScheme scheme) {
        SchemeTable table(scheme);
        base::Random random(3);
        for (int i = 0; i < 60'000; ++i)
            table.store(random(), result(1));
        EXPECT_GT(table.permille_used(), 990);
    });
}

// Writers race for the same entries; whatever a probe returns must have been stored for that key.
TEST(TableScheme, NeverMixesEntriesOfDifferentThreads) {
    for_each_scheme([](TableScheme scheme) {
        SchemeTable table(scheme);
        const auto value_for = [](unsigned number) { return static_cast<Value>(number * 7919 % 20011) - 10000; };
        std::atomic<int> wrong = 0;
        std::vector<std::jthread> threads;
        for (std::uint64_t seed = 1; seed <= 3; ++seed)
            threads.emplace_back([&, seed] {
                base::Random random(seed);
                for (int i = 0; i < 10'000; ++i) {
                    const auto number = static_cast<unsigned>(random.below(64)) + 1;
                    Knowledge stored = result(static_cast<int>(random.below(100)), number);
                    stored.value = value_for(number);
                    stored.evaluation = -stored.value;
                    table.store(rival(number), stored);
                    const auto other = static_cast<unsigned>(random.below(64)) + 1;
                    const Knowledge found = table.probe(rival(other), 0);
                    if (found && (found.value != value_for(other) || found.evaluation != -found.value)) ++wrong;
                }
            });
        threads.clear();
        EXPECT_EQ(wrong, 0);
    });
}

TEST(TableScheme, SearchesWithEveryOne) {
    const shogi::Position position =
        test::position("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1");
    for_each_scheme([&](TableScheme scheme) {
        Searcher searcher;
        Settings settings;
        settings.table.kibibytes = 64;
        settings.table.scheme = scheme;
        searcher.configure(settings);
        searcher.set_evaluator(eval::material_evaluator());
        think::SilentObserver silence;
        think::Limits limits;
        limits.nodes = 5000;
        const Outcome first = searcher.search(position, limits, silence, {});
        EXPECT_TRUE(position.is_legal(first.best));
        searcher.clear();
        const Outcome again = searcher.search(position, limits, silence, {});
        EXPECT_EQ(again.best, first.best) << "what is forgotten does not count";
        EXPECT_EQ(again.depth, first.depth);
    });
}

}  // namespace
}  // namespace tsumugi::search
