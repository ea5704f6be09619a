// SPDX-License-Identifier: GPL-3.0-or-later
// The replacement schemes that the literature compares: D. M. Breuker, J. W. H. M. Uiterwijk and H. J. van den Herik,
// "Replacement schemes for transposition tables" (1994), and the three slots of the chess program Crafty.
#include "search/table.hpp"
#include "search/table_entry.hpp"

namespace tsumugi::search {
namespace {

using entry::size_mask;

// The first entry of a place is kept by preference; the others, if any, hold the newest of those it was denied to.
struct SchemeRule {
    enum class Preference { depth, newcomer, resident, size };

    std::size_t width;
    Preference preference;
    bool gives_size_back = false;
};

constexpr SchemeRule rule_of(TableScheme scheme) {
    using enum SchemeRule::Preference;
    switch (scheme) {
        case TableScheme::modern: break;
        case TableScheme::deep: return {1, depth};
        case TableScheme::newest: return {1, newcomer};
        case TableScheme::oldest: return {1, resident};
        case TableScheme::big1: return {1, size};
        case TableScheme::big_all: return {1, size, true};
        case TableScheme::two_deep: return {2, depth};
        case TableScheme::two_big: return {2, size};
        case TableScheme::three_slot: return {3, depth};
    }
    return {};  // the modern scheme has rules of its own
}

constexpr bool keeps_size(const SchemeRule& rule) { return rule.preference == SchemeRule::Preference::size; }

// Does the newcomer take the first entry from another position? Among equals it does.
template <TableScheme scheme>
bool is_preferred(const Knowledge& newcomer, std::uint64_t data, std::uint32_t check) {
    constexpr auto preference = rule_of(scheme).preference;
    if constexpr (preference == SchemeRule::Preference::depth) return newcomer.depth >= entry::depth_of(data);
    if constexpr (preference == SchemeRule::Preference::size)
        return entry::size_code(newcomer.size) >= (check & size_mask);
    return preference == SchemeRule::Preference::newcomer;
}

}  // namespace

class Table::Bucket {
public:
    Bucket(const Half& half, shogi::Key key, std::size_t width)
        : clusters_(half.clusters),
          first_(Half::place(key, half.clusters.size() * entries_per_cluster / width) * width) {}

    [[nodiscard]] Words load(std::size_t i) const {
        const auto [cluster, entry] = at(i);
        return {clusters_[cluster].data[entry].load(std::memory_order_relaxed),
                clusters_[cluster].check[entry].load(std::memory_order_relaxed)};
    }
    void store(std::size_t i, const Words& words) const {
        const auto [cluster, entry] = at(i);
        clusters_[cluster].data[entry].store(words.data, std::memory_order_relaxed);
        clusters_[cluster].check[entry].store(words.check, std::memory_order_relaxed);
    }

private:
    struct Address {
        std::size_t cluster;
        std::size_t entry;
    };
    [[nodiscard]] Address at(std::size_t i) const {
        return {(first_ + i) / entries_per_cluster, (first_ + i) % entries_per_cluster};
    }

    std::span<Cluster> clusters_;
    std::size_t first_;
};

template <TableScheme scheme>
Knowledge Table::find_by(const Half& half, shogi::Key key) const {
    constexpr SchemeRule rule = rule_of(scheme);
    constexpr std::uint32_t ignored = keeps_size(rule) ? size_mask : 0;
    const Bucket bucket(half, key, rule.width);
    for (std::size_t i = 0; i < rule.width; ++i) {
        const Words words = bucket.load(i);
        if (((words.check ^ entry::check_word(key, words.data)) & ~ignored) != 0 || !is_live(half, words.data))
            continue;
        Knowledge found = entry::decode(words.data);
        if (rule.gives_size_back) found.size = entry::size_of_code(words.check & size_mask);
        return found;
    }
    return {};
}

template <TableScheme scheme>
void Table::store_by(shogi::Key key, const Knowledge& knowledge) {
    constexpr SchemeRule rule = rule_of(scheme);
    constexpr std::size_t width = rule.width;
    constexpr std::uint32_t ignored = keeps_size(rule) ? size_mask : 0;
    const Half& half = current();
    const Bucket bucket(half, key, width);
    const auto is_present = [&](std::uint64_t data) {
        return is_live(half, data) && entry::generation_of(data) == half.generation;
    };
    Knowledge written = knowledge;
    std::size_t found = width;  // where the position stands already
    for (std::size_t i = 0; i < width && found == width; ++i) {
        const Words words = bucket.load(i);
        if (((words.check ^ entry::check_word(key, words.data)) & ~ignored) != 0 || !is_live(half, words.data))
            continue;
        found = i;
        Knowledge stored = entry::decode(words.data);
        stored.size = entry::size_of_code(words.check & size_mask);
        written = entry::merged(knowledge, stored, is_present(words.data));
    }
    const std::uint64_t data = entry::encode(written, half.generation);
    const std::uint32_t size = keeps_size(rule) ? entry::size_code(written.size) : 0;
    const Words newcomer{data, (entry::check_word(key, data) & ~ignored) | size};

    // Puts an entry that is not, or no longer, the preferred one among the newest of its place.
    const auto add_to_newest = [&](const Words& words) {
        for (std::size_t i = width - 1; i > 1; --i)
            bucket.store(i, bucket.load(i - 1));
        if (width > 1) bucket.store(1, words);
    };
    const Words first = bucket.load(0);
    const bool takes_first =
        found == 0 || !is_present(first.data) || is_preferred<scheme>(written, first.data, first.check);
    if (!takes_first) {
        if (found < width)
            bucket.store(found, newcomer);
        else
            add_to_newest(newcomer);
        return;
    }
    if (found != 0 && found < width)
        bucket.store(found, first);  // they change places
    else if (found == width && is_present(first.data))
        add_to_newest(first);
    bucket.store(0, newcomer);
}

template <TableScheme scheme>
void Table::use_scheme() {
    find_ = &Table::find_by<scheme>;
    store_ = &Table::store_by<scheme>;
}

void Table::choose_scheme() {
    find_ = nullptr;
    store_ = nullptr;
    switch (settings_.scheme) {
        case TableScheme::modern: return;
        case TableScheme::deep: return use_scheme<TableScheme::deep>();
        case TableScheme::newest: return use_scheme<TableScheme::newest>();
        case TableScheme::oldest: return use_scheme<TableScheme::oldest>();
        case TableScheme::big1: return use_scheme<TableScheme::big1>();
        case TableScheme::big_all: return use_scheme<TableScheme::big_all>();
        case TableScheme::two_deep: return use_scheme<TableScheme::two_deep>();
        case TableScheme::two_big: return use_scheme<TableScheme::two_big>();
        case TableScheme::three_slot: return use_scheme<TableScheme::three_slot>();
    }
}

}  // namespace tsumugi::search
