// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/memory.hpp"
#include "mate/dependence.hpp"
#include "mate/number.hpp"
#include "mate/path.hpp"

namespace tsumugi::mate {

// Failures that rest on repetition. Each is remembered with the positions it rests on and holds again on every path
// that contains them all; most paths through a cycle do.
class LoopTable {
public:
    static base::Result<LoopTable> create(std::size_t bytes) {
        auto buckets = base::HugeArray<Bucket>::allocate(std::max<std::size_t>(bytes / sizeof(Bucket), 1));
        if (!buckets) return buckets.error();
        return LoopTable(std::move(*buckets));
    }

    // Forgets everything, and begins anew with a small part of the memory.
    void clear() {
        ++age_;
        active_ = std::min<std::size_t>(first, buckets_.size());
    }
    // Doubles the part in use, if there is more.
    void grow() {
        const std::size_t before = active_;
        active_ = std::min(before * 2, buckets_.size());
        if (active_ == before) return;
        for (std::size_t i = before; i < active_; ++i)
            buckets_[i] = Bucket{};
        // From the last to the first, because no entry moves towards the front.
        for (std::size_t i = before; i-- > 0;) {
            const Bucket old = std::exchange(buckets_[i], Bucket{});
            for (const Entry& entry : old.entries)
                if (entry.age == age_) next_place(entry.board) = entry;
        }
    }
    void store(shogi::Key board, shogi::Hand hand, Plies limit, const Dependence& rests_on, const Path& path) {
        Entry& entry = next_place(board);
        entry.board = board;
        entry.hand = hand;
        entry.limit = static_cast<std::int16_t>(limit);
        entry.age = age_;
        entry.rests_on = rests_on;
        entry.way = rests_on.many() ? path.way(rests_on.last()) : 0;
        for (std::size_t i = 0; i < rests_on.count(); ++i) {
            entry.boards[i] = path.board(rests_on[i]);
            entry.hands[i] = path.hand(rests_on[i]);
        }
    }
    // On what a known failure rests on this path.
    [[nodiscard]] std::optional<Dependence> find(shogi::Key board, shogi::Hand hand, Plies limit,
                                                 const Path& path) const {
        for (const Entry& entry : buckets_[place(board)].entries) {
            if (entry.board != board || entry.age != age_ || entry.limit < limit || !entry.hand.covers(hand)) continue;
            if (const auto dependence = on_path(entry, path)) return dependence;
        }
        return std::nullopt;
    }

private:
    struct Entry {
        shogi::Key board;
        shogi::Key way;  // down to the last position it rests on, if there are too many to name
        std::array<shogi::Key, Dependence::most> boards;
        std::array<shogi::Hand, Dependence::most> hands;
        shogi::Hand hand;
        unsigned age;
        Dependence rests_on;
        std::int16_t limit;
    };
    static constexpr std::size_t ways = 4;
    static constexpr std::size_t first = 64;
    struct Bucket {
        std::array<Entry, ways> entries;
        unsigned next;
    };

    explicit LoopTable(base::HugeArray<Bucket> buckets) : buckets_(std::move(buckets)) { clear(); }

    Entry& next_place(shogi::Key board) {
        Bucket& bucket = buckets_[place(board)];
        return bucket.entries[bucket.next++ % ways];
    }
    [[nodiscard]] std::size_t place(shogi::Key board) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>((static_cast<Wide>(board) * active_) >> 64);
    }

    static std::optional<Dependence> on_path(const Entry& entry, const Path& path) {
        if (entry.rests_on.many()) {
            const int last = entry.rests_on.last();
            if (last >= path.depth() || path.way(last) != entry.way) return std::nullopt;
            return entry.rests_on;
        }
        Dependence dependence;
        for (std::size_t i = 0; i < entry.rests_on.count(); ++i) {
            const int depth = path.find(entry.boards[i], entry.hands[i]);
            if (depth == no_repetition) return std::nullopt;
            dependence.merge(Dependence::on(depth));
        }
        return dependence;
    }

    base::HugeArray<Bucket> buckets_;  // zero is the age of none
    std::size_t active_ = 0;           // buckets in use, from the first
    unsigned age_ = 0;
};

}  // namespace tsumugi::mate
