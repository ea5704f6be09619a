// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "mate/dependence.hpp"
#include "mate/number.hpp"
#include "mate/path.hpp"

namespace tsumugi::mate {

// Failures that rest on repetition. Each is remembered with the positions it rests on and holds again on every path
// that contains them all; most paths through a cycle do.
class LoopTable {
public:
    LoopTable() : buckets_(std::size_t{1} << bits) {}

    void clear() { ++age_; }
    void store(shogi::Key board, shogi::Hand hand, Plies limit, const Dependence& dependence, const Path& path) {
        Bucket& bucket = buckets_[board >> (64 - bits)];
        Entry& entry = bucket.entries[bucket.next++ % ways];
        entry.board = board;
        entry.hand = hand;
        entry.limit = limit;
        entry.age = age_;
        entry.count = dependence.count();
        for (std::size_t i = 0; i < entry.count; ++i) {
            entry.boards[i] = path.board(dependence[i]);
            entry.hands[i] = path.hand(dependence[i]);
        }
    }
    // On what a known failure rests on this path.
    [[nodiscard]] std::optional<Dependence> find(shogi::Key board, shogi::Hand hand, Plies limit,
                                                 const Path& path) const {
        for (const Entry& entry : buckets_[board >> (64 - bits)].entries) {
            if (entry.board != board || entry.age != age_ || entry.limit < limit || !entry.hand.covers(hand)) continue;
            Dependence dependence;
            std::size_t i = 0;
            for (; i < entry.count; ++i) {
                const int depth = path.find(entry.boards[i], entry.hands[i]);
                if (depth == no_repetition) break;
                dependence.merge(Dependence::on(depth));
            }
            if (i == entry.count) return dependence;
        }
        return std::nullopt;
    }

private:
    struct Entry {
        shogi::Key board = 0;
        std::array<shogi::Key, Dependence::most> boards{};
        std::array<shogi::Hand, Dependence::most> hands{};
        shogi::Hand hand;
        Plies limit = 0;
        unsigned age = 0;
        std::size_t count = 0;
    };
    static constexpr int bits = 14;
    static constexpr std::size_t ways = 4;
    struct Bucket {
        std::array<Entry, ways> entries;
        unsigned next = 0;
    };

    std::vector<Bucket> buckets_;
    unsigned age_ = 1;
};

}  // namespace tsumugi::mate
