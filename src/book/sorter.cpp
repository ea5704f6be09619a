// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/sorter.hpp"

#include <algorithm>
#include <queue>

#include "book/format/bytes.hpp"

namespace tsumugi::book {
namespace {

using base::Result;

constexpr std::size_t lengths_size = 8;

struct Item {
    std::string_view key;
    std::string_view value;

    static Item at(std::string_view bytes, std::size_t place) {
        const auto key_size = get<std::uint32_t>(bytes, place);
        const auto value_size = get<std::uint32_t>(bytes, place + 4);
        const std::size_t start = place + lengths_size;
        return {bytes.substr(start, key_size), bytes.substr(start + key_size, value_size)};
    }
    [[nodiscard]] std::size_t size() const { return lengths_size + key.size() + value.size(); }
};

}  // namespace

Result<void> Sorter::add(std::string_view key, std::string_view value) {
    places_.push_back(bytes_.size());
    put<std::uint32_t>(bytes_, static_cast<std::uint32_t>(key.size()));
    put<std::uint32_t>(bytes_, static_cast<std::uint32_t>(value.size()));
    bytes_.append(key).append(value);
    ++size_;
    if (bytes_.size() + places_.size() * sizeof(std::size_t) < budget_) return {};
    return put_aside();
}

void Sorter::sort_items() {
    const std::string_view bytes = bytes_;
    std::stable_sort(places_.begin(), places_.end(),
                     [&](std::size_t a, std::size_t b) { return Item::at(bytes, a).key < Item::at(bytes, b).key; });
}

Result<void> Sorter::put_aside() {
    sort_items();
    auto spool = Spool::create(folder_);
    if (!spool) return spool.error();
    const std::string_view bytes = bytes_;
    for (const std::size_t place : places_)
        if (auto written = spool->write(bytes.substr(place, Item::at(bytes, place).size())); !written) return written;
    parts_.push_back(*std::move(spool));
    bytes_.clear();
    places_.clear();
    return {};
}

Result<void> Sorter::for_each(const Visit& visit) {
    if (!parts_.empty()) {
        if (!places_.empty())
            if (auto done = put_aside(); !done) return done;
        return merge(visit);
    }
    sort_items();
    for (const std::size_t place : places_) {
        const Item item = Item::at(bytes_, place);
        if (auto done = visit(item.key, item.value); !done) return done;
    }
    return {};
}

Result<void> Sorter::merge(const Visit& visit) {
    struct Head {
        Item item;
        std::size_t part;
        std::size_t place;
    };
    std::vector<base::MappedFile> files;
    for (Spool& part : parts_) {
        auto file = part.read();
        if (!file) return file.error();
        files.push_back(*std::move(file));
    }
    // Parts were filled one after the other, so among equals the item of the earlier part was added first.
    const auto later = [](const Head& a, const Head& b) {
        return a.item.key != b.item.key ? a.item.key > b.item.key : a.part > b.part;
    };
    std::priority_queue<Head, std::vector<Head>, decltype(later)> heads(later);
    for (std::size_t i = 0; i < files.size(); ++i)
        heads.push({Item::at(files[i].text(), 0), i, 0});
    while (!heads.empty()) {
        Head head = heads.top();
        heads.pop();
        if (auto done = visit(head.item.key, head.item.value); !done) return done;
        head.place += head.item.size();
        if (head.place == files[head.part].size()) continue;
        head.item = Item::at(files[head.part].text(), head.place);
        heads.push(head);
    }
    return {};
}

}  // namespace tsumugi::book
