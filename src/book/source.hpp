// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "book/entry.hpp"

namespace tsumugi::book {

// The positions of a book one after the other, in the order of the file, without holding all of them in memory where
// the format allows that.
class Source {
public:
    virtual ~Source() = default;

    // False at the end. An error names file and line or offset; nothing more can be read after it.
    virtual base::Result<bool> next(Entry& entry) = 0;

    // What the file holds and this source does not give; empty when it gives everything.
    [[nodiscard]] virtual std::string omission() const { return {}; }

    // How far reading is, in units of which there are `size()`.
    [[nodiscard]] virtual std::uint64_t done() const = 0;
    [[nodiscard]] virtual std::uint64_t size() const = 0;
};

// Entries that are in memory.
class ListSource : public Source {
public:
    explicit ListSource(std::vector<Entry> entries, std::string omission = {})
        : entries_(std::move(entries)), omission_(std::move(omission)) {}

    base::Result<bool> next(Entry& entry) override {
        if (at_ == entries_.size()) return false;
        entry = entries_[at_++];
        return true;
    }
    [[nodiscard]] std::string omission() const override { return omission_; }
    [[nodiscard]] std::uint64_t done() const override { return at_; }
    [[nodiscard]] std::uint64_t size() const override { return entries_.size(); }

private:
    std::vector<Entry> entries_;
    std::string omission_;
    std::size_t at_ = 0;
};

// A book that can be asked for positions.
class Book {
public:
    enum class Ply { any, same };

    virtual ~Book() = default;

    // What the book holds for the position. With Ply::same only an entry of the same move number counts, where the
    // format keeps move numbers. An error means that the file is damaged at that place.
    [[nodiscard]] virtual base::Result<std::optional<Entry>> find(const shogi::Setup& position, Ply ply) const = 0;
};

}  // namespace tsumugi::book
