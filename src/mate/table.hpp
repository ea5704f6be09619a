// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/memory.hpp"
#include "base/result.hpp"
#include "mate/number.hpp"
#include "shogi/hand.hpp"
#include "shogi/move.hpp"
#include "shogi/zobrist.hpp"

namespace tsumugi::mate {

// What is known about a position: numbers while it is open, and a length, a hand and a move when it is settled.
struct Knowledge {
    Numbers numbers;
    Plies length = 0;         // of the mate (at most), or within which there is none
    shogi::Hand hand;         // the attacker's hand for which a settled result was shown
    shogi::Move move;         // the attacker's, in a proof
    std::uint16_t depth = 0;  // the least distance from the root at which it was searched
    bool known = false;       // was this position itself (not only one like it) in the table?
    bool cyclic = false;      // did it once fail only because positions would have been repeated?
};

// The memory of the search, of fixed size and shared by its threads. Positions with the same board fall into the same
// bucket whatever the hands, because a settled one answers for others with more (or less) in hand. A full bucket gives
// up what took the least work, counting work of long ago less and less. A problem begins with a small part of the
// memory and gets more as it needs it: most problems are small, and memory never touched before is slow.
class Table {
public:
    static base::Result<Table> create(std::size_t bytes);

    // Forgets everything.
    void new_problem();
    // Is the part in use so full that more should be taken into use, and is there more?
    [[nodiscard]] bool crowded();
    // Doubles the part in use. No other thread may be at work on the table.
    void grow();

    // What is known of a mate within `limit` plies, by a position with this board and attacker's hand.
    [[nodiscard]] Knowledge find(shogi::Key board, shogi::Hand hand, Plies limit);
    void store_open(shogi::Key board, shogi::Hand hand, Numbers numbers, int depth, bool cyclic, std::uint64_t work);
    void store_mate(shogi::Key board, shogi::Hand hand, Plies length, shogi::Move move, std::uint64_t work);
    void store_no_mate(shogi::Key board, shogi::Hand hand, Plies length, std::uint64_t work);
    void prefetch(shogi::Key board) { __builtin_prefetch(&bucket(mixed(board))); }

    // Share of the table in use, in thousandths, from a sample.
    [[nodiscard]] int permille_used() const;

private:
    enum class State : std::uint8_t { empty, open, mate, no_mate };

    struct Entry {
        shogi::Key board;
        std::uint32_t hand;
        Number proof;
        Number disproof;
        std::uint32_t work;
        std::uint16_t length;
        std::uint16_t move;
        std::uint16_t depth;
        State state;
        bool cyclic;
    };
    static_assert(sizeof(Entry) == 32);

    static constexpr std::size_t entries_per_bucket = 15;

    // A short tag of every entry stands at the head, so that a search of the bucket touches few cache lines.
    struct alignas(64) Bucket {
        std::array<std::uint16_t, entries_per_bucket> tags;
        std::uint8_t used;
        std::uint8_t locked;
        std::array<Entry, entries_per_bucket> entries;
    };
    static_assert(sizeof(Bucket) == 512);

    class Guard;

    explicit Table(base::HugeArray<Bucket> buckets) : buckets_(std::move(buckets)) { new_problem(); }

    // The keys of boards that differ little must not fall into neighbouring buckets together.
    static shogi::Key mixed(shogi::Key board) { return board * 0x9e3779b97f4a7c15ULL; }
    [[nodiscard]] Bucket& bucket(shogi::Key key);
    static std::uint16_t tag_of(shogi::Key key) { return static_cast<std::uint16_t>(key); }
    // A place for a new entry with this key, which replaces another when the bucket is full.
    static Entry& make_room(Bucket& bucket, shogi::Key key);
    static void remove(Bucket& bucket, std::size_t index);
    template <typename Covered>
    void store_settled(shogi::Key board, const Entry& entry, Covered covered);

    base::HugeArray<Bucket> buckets_;
    std::size_t active_ = 0;  // buckets in use, from the first
};

}  // namespace tsumugi::mate
