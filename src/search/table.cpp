// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/table.hpp"

#include <algorithm>

#include "search/table_entry.hpp"

namespace tsumugi::search {

using entry::bound_of;
using entry::check_word;
using entry::depth_of;
using entry::generation_of;
using entry::generations;
using shogi::Key;

void Table::resize(const TableSettings& settings, int threads) {
    settings_ = settings;
    threads_ = threads;
    current_ = 0;
    choose_scheme();
    for (Half& half : halves_)
        half = Half();
    const std::size_t halves = settings.policy == TablePolicy::alternating ? 2 : 1;
    std::size_t bytes = std::max<std::size_t>(settings.kibibytes, 1) << 10;
    for (std::size_t i = 0; i < halves;) {
        auto memory = base::HugeMemory::allocate(bytes / halves);
        if (!memory) {
            // Start again with half as much rather than refuse to play.
            bytes /= 2;
            for (Half& half : halves_)
                half = Half();
            i = 0;
            continue;
        }
        Half& half = halves_[i++];
        half.memory = *std::move(memory);
        half.clusters = {reinterpret_cast<Cluster*>(half.memory.bytes().data()), bytes / halves / sizeof(Cluster)};
    }
    clear(threads);
}

void Table::clear(int threads) {
    threads_ = threads;
    for (Half& half : halves_) {
        half.generation = 0;
        base::zero(half.memory.bytes(), threads);
    }
}

void Table::new_search() {
    if (settings_.policy == TablePolicy::alternating) current_ ^= 1;
    Half& half = current();
    half.generation = (half.generation + 1) % generations;
    // Where older generations count as absent, a new number empties the table; only when the numbers begin again
    // could leftovers be taken for new.
    if (settings_.policy != TablePolicy::ageing && half.generation == 0) base::zero(half.memory.bytes(), threads_);
}

bool Table::is_live(const Half& half, std::uint64_t data) const {
    return bound_of(data) != Bound::none &&
           (settings_.policy == TablePolicy::ageing || generation_of(data) == half.generation);
}

Knowledge Table::find(const Half& half, Key key) const {
    if (find_ != nullptr) [[unlikely]]
        return (this->*find_)(half, key);
    const Cluster& cluster = half.cluster(key);
    for (std::size_t i = 0; i < entries_per_cluster; ++i) {
        const std::uint64_t data = cluster.data[i].load(std::memory_order_relaxed);
        if (cluster.check[i].load(std::memory_order_relaxed) == check_word(key, data) && is_live(half, data))
            return entry::decode(data);
    }
    return {};
}

Knowledge Table::probe(Key key, int depth) const {
    const Knowledge found = find(current(), key);
    if (found || settings_.policy != TablePolicy::alternating || depth < settings_.second_probe_depth) return found;
    return find(halves_[current_ ^ 1], key);
}

void Table::store(Key key, const Knowledge& knowledge) {
    if (store_ != nullptr) [[unlikely]]
        return (this->*store_)(key, knowledge);
    Half& half = current();
    Cluster& cluster = half.cluster(key);
    std::size_t victim = 0;
    int least_worth = 1 << 20;
    Knowledge written = knowledge;
    for (std::size_t i = 0; i < entries_per_cluster; ++i) {
        const std::uint64_t data = cluster.data[i].load(std::memory_order_relaxed);
        if (!is_live(half, data)) {
            victim = i;
            least_worth = -(1 << 20);
            continue;
        }
        if (cluster.check[i].load(std::memory_order_relaxed) == check_word(key, data)) {
            written = entry::merged(knowledge, entry::decode(data), generation_of(data) == half.generation);
            victim = i;
            break;
        }
        // Eight plies of depth make up for one search of age.
        const int age = static_cast<int>((half.generation + generations - generation_of(data)) % generations);
        const int worth = depth_of(data) - 8 * age;
        if (worth < least_worth) {
            least_worth = worth;
            victim = i;
        }
    }
    const std::uint64_t data = entry::encode(written, half.generation);
    cluster.data[victim].store(data, std::memory_order_relaxed);
    cluster.check[victim].store(check_word(key, data), std::memory_order_relaxed);
}

int Table::permille_used() const {
    // Some thousand entries tell enough. Every finished depth asks.
    const std::size_t sample = std::min(1000 / entries_per_cluster, current().clusters.size());
    if (sample == 0) return 0;
    std::size_t used = 0;
    for (std::size_t i = 0; i < sample; ++i)
        for (const auto& entry : current().clusters[i].data) {
            const std::uint64_t data = entry.load(std::memory_order_relaxed);
            if (bound_of(data) != Bound::none && generation_of(data) == current().generation) ++used;
        }
    return static_cast<int>(used * 1000 / (sample * entries_per_cluster));
}

std::size_t Table::capacity(const TableSettings& settings) {
    const std::size_t halves = settings.policy == TablePolicy::alternating ? 2 : 1;
    return (settings.kibibytes << 10) / halves / sizeof(Cluster) * entries_per_cluster;
}

std::size_t Table::bytes() const { return halves_[0].clusters.size_bytes() + halves_[1].clusters.size_bytes(); }

}  // namespace tsumugi::search
