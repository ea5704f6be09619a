// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/shared_table.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "eval/material.hpp"
#include "search/searcher.hpp"

namespace tsumugi::search {
namespace {

TableSettings small() {
    TableSettings settings;
    settings.kibibytes = 1024;
    return settings;
}

std::unique_ptr<Searcher> searcher_with(std::shared_ptr<SharedTable> table) {
    auto searcher = std::make_unique<Searcher>(std::move(table));
    Settings settings;
    settings.table = small();
    searcher->configure(settings);
    searcher->set_evaluator(eval::material_evaluator());
    return searcher;
}

Outcome search(Searcher& searcher, int depth) {
    think::SilentObserver silence;
    think::Limits limits;
    limits.depth = depth;
    return searcher.search(shogi::Position::even(), limits, silence, {});
}

TEST(SharedTable, SavesASecondSearcherWhatTheFirstHasFound) {
    const auto table = std::make_shared<SharedTable>(small());
    const auto first = searcher_with(table);
    const auto second = searcher_with(table);
    const auto alone = searcher_with(nullptr);
    const std::uint64_t nodes = search(*alone, 6).nodes;
    EXPECT_EQ(search(*first, 6).nodes, nodes);
    EXPECT_LT(search(*second, 6).nodes, nodes);
}

TEST(SharedTable, IsEmptiedByItsOwnerAndByNobodyElse) {
    const auto table = std::make_shared<SharedTable>(small());
    const auto first = searcher_with(table);
    const auto second = searcher_with(table);
    const std::uint64_t nodes = search(*first, 6).nodes;
    first->clear();
    EXPECT_LT(search(*second, 6).nodes, nodes) << "what a searcher forgets is its own";
    table->clear();
    second->clear();
    EXPECT_EQ(search(*second, 6).nodes, nodes);
}

TEST(SharedTable, CountsSearchesThatOverlapAsOne) {
    SharedTable table(small());
    Knowledge knowledge;
    knowledge.depth = 3;
    knowledge.bound = Bound::exact;
    const auto store_many = [&] {
        for (std::uint64_t i = 0; i < 1000; ++i)
            table.table().store(i << 50, knowledge);
    };
    {
        const SharedTable::Visit first(table);
        store_many();
        const SharedTable::Visit second(table);
        EXPECT_GT(table.table().permille_used(), 0) << "written by the present search";
    }
    const SharedTable::Visit later(table);
    EXPECT_EQ(table.table().permille_used(), 0) << "written by an earlier one";
}

TEST(SharedTable, ServesThreadsThatSearchAndAreEmptiedBetweenThem) {
    const auto table = std::make_shared<SharedTable>(small());
    std::vector<std::unique_ptr<Searcher>> searchers;
    for (int i = 0; i < 3; ++i)
        searchers.push_back(searcher_with(table));
    {
        std::vector<std::jthread> threads;
        for (const auto& searcher : searchers)
            threads.emplace_back([&searcher] {
                for (int i = 0; i < 4; ++i)
                    EXPECT_FALSE(search(*searcher, 4).best.is_none());
            });
        threads.emplace_back([&table] {
            for (int i = 0; i < 10; ++i)
                table->clear();
        });
    }
    const SharedTable::Visit visit(*table);
    EXPECT_EQ(table->table().bytes(), std::size_t{1024} << 10);
}

}  // namespace
}  // namespace tsumugi::search
