// SPDX-License-Identifier: GPL-3.0-or-later
#include "mate/table.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

namespace tsumugi::mate {

using shogi::Hand;
using shogi::Key;
using shogi::Move;

// Threads hold a bucket for some tens of nanoseconds and there are very many buckets: waiting is rare and short.
class Table::Guard {
public:
    explicit Guard(Bucket& bucket) : locked_(bucket.locked) {
        while (locked_.exchange(1, std::memory_order_acquire) != 0) {
        }
    }
    ~Guard() { locked_.store(0, std::memory_order_release); }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

private:
    std::atomic_ref<std::uint8_t> locked_;
};

base::Result<Table> Table::create(std::size_t bytes) {
    auto buckets = base::HugeArray<Bucket>::allocate(bytes / sizeof(Bucket));
    if (!buckets) return buckets.error();
    return Table(std::move(*buckets));
}

void Table::new_problem() {
    constexpr std::size_t first = 256;
    active_ = std::min(first, buckets_.size());
    for (std::size_t i = 0; i < active_; ++i)
        buckets_[i].used = 0;
}

bool Table::crowded() {
    if (active_ == buckets_.size()) return false;
    constexpr std::size_t sample = 64;
    const std::size_t step = std::max<std::size_t>(active_ / sample, 1);
    std::size_t used = 0;
    std::size_t room = 0;
    for (std::size_t i = 0; i < active_; i += step) {
        const Guard guard(buckets_[i]);
        used += buckets_[i].used;
        room += entries_per_bucket;
    }
    return used * 5 > room * 3;
}

void Table::grow() {
    const std::size_t before = active_;
    active_ = std::min(before * 2, buckets_.size());
    for (std::size_t i = before; i < active_; ++i)
        buckets_[i].used = 0;
    // From the last to the first, because no entry moves towards the front.
    for (std::size_t i = before; i-- > 0;) {
        const Bucket old = buckets_[i];
        buckets_[i].used = 0;
        for (std::size_t k = 0; k < old.used; ++k)
            make_room(bucket(old.entries[k].board), old.entries[k].board) = old.entries[k];
    }
}

Table::Bucket& Table::bucket(Key key) {
    __extension__ using Wide = unsigned __int128;
    return buckets_[static_cast<std::size_t>((static_cast<Wide>(key) * active_) >> 64)];
}

Knowledge Table::find(Key board, Hand hand, Plies limit) {
    const Key key = mixed(board);
    Bucket& b = bucket(key);
    const std::uint16_t tag = tag_of(key);
    Knowledge known;
    const Guard guard(b);
    for (std::size_t i = 0; i < b.used; ++i) {
        if (b.tags[i] != tag) continue;
        const Entry& e = b.entries[i];
        if (e.board != key) continue;
        const Hand held = Hand::from_bits(e.hand);
        if (e.state == State::mate) {
            if (e.length > limit || !hand.covers(held)) continue;
            known = {Numbers::mate(), e.length, held, Move::from_bits(e.move), 0, true, false};
            limit = e.length;  // only a shorter one is of more use
        }
        if (known.numbers.proven()) continue;
        if (e.state == State::no_mate) {
            if (e.length < limit || !held.covers(hand)) continue;
            return {Numbers::no_mate(), e.length, held, Move::none(), 0, true, false};
        }
        if (held == hand) {
            known.numbers.proof = std::max(known.numbers.proof, e.proof);
            known.numbers.disproof = std::max(known.numbers.disproof, e.disproof);
            known.depth = e.depth;
            known.known = true;
            known.cyclic = e.cyclic;
        } else if (held.covers(hand)) {
            // With more in hand a mate cannot be harder to prove than with less.
            known.numbers.proof = std::max(known.numbers.proof, e.proof);
        } else if (hand.covers(held)) {
            known.numbers.disproof = std::max(known.numbers.disproof, e.disproof);
        }
    }
    return known;
}

void Table::remove(Bucket& b, std::size_t index) {
    const std::size_t last = --b.used;
    b.tags[index] = b.tags[last];
    b.entries[index] = b.entries[last];
}

Table::Entry& Table::make_room(Bucket& b, Key key) {
    std::size_t place = b.used;
    if (b.used < entries_per_bucket) {
        ++b.used;
    } else {
        place = 0;
        for (std::size_t i = 1; i < entries_per_bucket; ++i)
            if (b.entries[i].work < b.entries[place].work) place = i;
        for (Entry& e : b.entries)
            e.work -= e.work / 16;
    }
    b.tags[place] = tag_of(key);
    b.entries[place] = Entry{};
    b.entries[place].board = key;
    return b.entries[place];
}

namespace {

std::uint32_t saturated(std::uint64_t work) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(work, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

void Table::store_open(Key board, Hand hand, Numbers numbers, int depth, bool cyclic, std::uint64_t work) {
    const Key key = mixed(board);
    Bucket& b = bucket(key);
    const std::uint16_t tag = tag_of(key);
    const Guard guard(b);
    Entry* found = nullptr;
    for (std::size_t i = 0; i < b.used && found == nullptr; ++i)
        if (b.tags[i] == tag && b.entries[i].board == key && b.entries[i].state == State::open &&
            b.entries[i].hand == hand.bits())
            found = &b.entries[i];
    const auto at = static_cast<std::uint16_t>(depth);
    if (found == nullptr) {
        found = &make_room(b, key);
        found->hand = hand.bits();
        found->state = State::open;
        found->depth = at;
    }
    found->proof = numbers.proof;
    found->disproof = numbers.disproof;
    found->depth = std::min(found->depth, at);
    found->cyclic = found->cyclic || cyclic;
    found->work = saturated(std::uint64_t{found->work} + work);
}

template <typename Covered>
void Table::store_settled(Key board, const Entry& entry, Covered covered) {
    const Key key = mixed(board);
    Bucket& b = bucket(key);
    const std::uint16_t tag = tag_of(key);
    const Guard guard(b);
    std::uint64_t work = entry.work;
    for (std::size_t i = 0; i < b.used;) {
        if (b.tags[i] != tag || b.entries[i].board != key || !covered(b.entries[i])) {
            ++i;
            continue;
        }
        work = std::max<std::uint64_t>(work, b.entries[i].work);
        remove(b, i);
    }
    Entry& place = make_room(b, key);
    const Key stored = place.board;
    place = entry;
    place.board = stored;
    place.work = saturated(work);
}

void Table::store_mate(Key board, Hand hand, Plies length, Move move, std::uint64_t work) {
    Entry entry{};
    entry.hand = hand.bits();
    entry.length = static_cast<std::uint16_t>(length);
    entry.move = move.bits();
    entry.state = State::mate;
    entry.work = saturated(work);
    store_settled(board, entry, [&](const Entry& e) {
        if (!Hand::from_bits(e.hand).covers(hand)) return false;
        return e.state == State::open || (e.state == State::mate && e.length >= length);
    });
}

void Table::store_no_mate(Key board, Hand hand, Plies length, std::uint64_t work) {
    Entry entry{};
    entry.hand = hand.bits();
    entry.length = static_cast<std::uint16_t>(length);
    entry.state = State::no_mate;
    entry.work = saturated(work);
    store_settled(board, entry, [&](const Entry& e) {
        if (!hand.covers(Hand::from_bits(e.hand))) return false;
        return (e.state == State::open && length == unlimited) || (e.state == State::no_mate && e.length <= length);
    });
}

int Table::permille_used() const {
    const std::size_t sample = std::min<std::size_t>(active_, 1000);
    std::size_t used = 0;
    for (std::size_t i = 0; i < sample; ++i)
        used += buckets_[i].used;
    if (sample == 0) return 0;
    return static_cast<int>(used * 1000 / (sample * entries_per_bucket) * active_ / buckets_.size());
}

}  // namespace tsumugi::mate
