// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "search/table_settings.hpp"
#include "search/value.hpp"
#include "shogi/move.hpp"
#include "shogi/zobrist.hpp"

namespace tsumugi::search {

enum class Bound : std::uint8_t { none = 0, upper = 1, lower = 2, exact = 3 };

constexpr bool includes(Bound b, Bound part) { return (static_cast<int>(b) & static_cast<int>(part)) != 0; }

// What search learned about a position.
struct Knowledge {
    shogi::Move move;
    Value value = value_none;
    Value evaluation = value_none;
    int depth = 0;
    Bound bound = Bound::none;
    bool was_pv = false;
    // Nodes of the tree it came from. The table remembers it roughly, and only under the scheme that asks for it back;
    // otherwise nothing.
    std::uint32_t size = 0;

    // Is there any? A position the table does not know comes back as knowledge without a bound.
    explicit operator bool() const { return bound != Bound::none; }
};

// The transposition table, shared by all search threads without locks. An entry is one 64-bit word of data and a
// 32-bit check word that is mixed with the data, so that an entry torn by two writers does not match any position.
class Table {
public:
    // Allocates and empties with `threads` threads. Falls back to a smaller table when memory is short.
    void resize(const TableSettings& settings, int threads);
    void clear(int threads);
    // Call once before each search.
    void new_search();

    [[nodiscard]] Knowledge probe(shogi::Key key, int depth) const;
    void store(shogi::Key key, const Knowledge& knowledge);
    // The line where the position stands; in schemes with two or three to a place, the next one at times.
    void prefetch(shogi::Key key) const { __builtin_prefetch(&current().cluster(key)); }

    // Share of the table, in thousandths, written by the present search.
    [[nodiscard]] int permille_used() const;
    [[nodiscard]] const TableSettings& settings() const { return settings_; }
    [[nodiscard]] std::size_t bytes() const;
    // How many positions a search can keep with these settings.
    [[nodiscard]] static std::size_t capacity(const TableSettings& settings);

private:
    static constexpr std::size_t entries_per_cluster = 5;

    struct alignas(64) Cluster {
        std::array<std::atomic<std::uint64_t>, entries_per_cluster> data;
        std::array<std::atomic<std::uint32_t>, entries_per_cluster> check;
    };
    static_assert(sizeof(Cluster) == 64);

    // The words of an entry, copied out.
    struct Words {
        std::uint64_t data;
        std::uint32_t check;
    };

    struct Half {
        base::HugeMemory memory;
        std::span<Cluster> clusters;
        unsigned generation = 0;

        // The upper bits of the key choose a place by multiplication; the lower ones are in the check word.
        [[nodiscard]] static std::size_t place(shogi::Key key, std::size_t places) {
            __extension__ using Wide = unsigned __int128;
            return static_cast<std::size_t>((static_cast<Wide>(key) * places) >> 64);
        }
        [[nodiscard]] Cluster& cluster(shogi::Key key) const { return clusters[place(key, clusters.size())]; }
    };

    // A place of one of the older schemes: so many entries in a row, wherever clusters end.
    class Bucket;

    [[nodiscard]] const Half& current() const { return halves_[current_]; }
    [[nodiscard]] Half& current() { return halves_[current_]; }
    [[nodiscard]] Knowledge find(const Half& half, shogi::Key key) const;
    [[nodiscard]] bool is_live(const Half& half, std::uint64_t data) const;

    // The older schemes, chosen once: find_ and store_ are those of the present one.
    using Find = Knowledge (Table::*)(const Half& half, shogi::Key key) const;
    using Store = void (Table::*)(shogi::Key key, const Knowledge& knowledge);
    void choose_scheme();
    template <TableScheme scheme>
    void use_scheme();
    template <TableScheme scheme>
    [[nodiscard]] Knowledge find_by(const Half& half, shogi::Key key) const;
    template <TableScheme scheme>
    void store_by(shogi::Key key, const Knowledge& knowledge);

    TableSettings settings_;
    Find find_ = nullptr;  // nothing in the modern scheme
    Store store_ = nullptr;
    std::array<Half, 2> halves_;
    std::size_t current_ = 0;
    int threads_ = 1;
};

}  // namespace tsumugi::search
