// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <mutex>

#include "search/table.hpp"

namespace tsumugi::search {

// A transposition table for several searchers at the same time. Each of them visits it while it searches; the owner,
// who also chose its size, empties it between games. A new search, which ages what is there, begins when somebody comes
// while nobody else is there: visitors that overlap are at work on the same move.
class SharedTable {
public:
    explicit SharedTable(const TableSettings& settings) { table_.resize(settings, 1); }
    SharedTable(const SharedTable&) = delete;
    SharedTable& operator=(const SharedTable&) = delete;

    // Waits until nobody is there.
    void clear();

    // The table may be used as long as this lives.
    class Visit {
    public:
        explicit Visit(SharedTable& place) : place_(place) { place_.enter(); }
        ~Visit() { place_.leave(); }
        Visit(const Visit&) = delete;
        Visit& operator=(const Visit&) = delete;

    private:
        SharedTable& place_;
    };

    [[nodiscard]] Table& table() { return table_; }

private:
    void enter();
    void leave();

    std::mutex mutex_;  // guards the number of visitors, and the table from being aged or emptied under their hands
    std::condition_variable left_;
    int visitors_ = 0;
    Table table_;
};

}  // namespace tsumugi::search
