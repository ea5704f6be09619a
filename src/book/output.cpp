// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/output.hpp"

#include <algorithm>

#include "book/format/db.hpp"

namespace tsumugi::book {

using base::Result;

Result<Output> Output::create(const std::filesystem::path& file, const Options& options) {
    const auto format = required_format(file);
    if (!format) return format.error();
    auto writer = create_writer(file);
    if (!writer) return writer.error();
    return Output(*format, *std::move(writer), Sorter(file.parent_path(), options.budget_bytes), options);
}

Result<void> Output::add(const Entry& entry) {
    const auto key = order_key(format_, entry.position);
    if (!key) return key.error();
    std::string text;
    append_db(text, entry);
    return sorter_.add(*key, text);
}

// The text format may hold a position several times, with different plies.
bool Output::same_place(const Entry& a, const Entry& b) const {
    return format_ != Format::db || a.position.move_number == b.position.move_number;
}

Result<void> Output::write(Entry& entry) {
    if (options_.sort_moves) sort_best_first(entry.moves);
    ++positions_;
    return writer_->write(entry);
}

Result<void> Output::finish(const std::function<void()>& advance) {
    std::string key;
    std::vector<Entry> group;  // entries of one position, joined where the format has one place for them
    const auto write_group = [&]() -> Result<void> {
        std::stable_sort(group.begin(), group.end(), [](const Entry& a, const Entry& b) {
            return a.position.move_number < b.position.move_number;
        });
        for (Entry& each : group)
            if (auto written = write(each); !written) return written;
        group.clear();
        return {};
    };
    const auto done = sorter_.for_each([&](std::string_view next_key, std::string_view text) -> Result<void> {
        advance();
        if (next_key != key)
            if (auto written = write_group(); !written) return written;
        key = next_key;
        Entry entry;
        if (const auto read = DbReader(text).next(entry); !read) return read.error();
        for (Entry& each : group)
            if (same_place(each, entry)) {
                merge_into(each, entry, options_.add_counts);
                return {};
            }
        group.push_back(std::move(entry));
        return {};
    });
    if (!done) return done;
    if (auto written = write_group(); !written) return written;
    return writer_->finish();
}

}  // namespace tsumugi::book
