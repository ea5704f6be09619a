// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "book/spool.hpp"

namespace tsumugi::book {

// Sorts more than fits into memory: items are collected up to a budget, sorted, and put aside on the disk; at the end
// the parts are merged. Items with the same key come in the order in which they were added.
class Sorter {
public:
    // Parts that do not fit go to unnamed files in this folder.
    Sorter(std::filesystem::path folder, std::size_t budget_bytes)
        : folder_(std::move(folder)), budget_(budget_bytes) {}

    base::Result<void> add(std::string_view key, std::string_view value);
    [[nodiscard]] std::uint64_t size() const { return size_; }

    using Visit = std::function<base::Result<void>(std::string_view key, std::string_view value)>;
    // Calls visit for every item in order and stops at the first error. Once, after the last add().
    base::Result<void> for_each(const Visit& visit);

private:
    void sort_items();
    base::Result<void> put_aside();
    base::Result<void> merge(const Visit& visit);

    std::filesystem::path folder_;
    std::size_t budget_;
    std::uint64_t size_ = 0;
    std::string bytes_;                // items, each with the lengths of key and value before it
    std::vector<std::size_t> places_;  // where each item begins in bytes_
    std::vector<Spool> parts_;
};

}  // namespace tsumugi::book
