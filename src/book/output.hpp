// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "book/file.hpp"
#include "book/sorter.hpp"

namespace tsumugi::book {

// A book to be written from entries in any order: sorts them as the format asks for, with bounded memory, and joins
// entries of the same position. Until finish() nothing is seen under the name of the file.
class Output {
public:
    struct Options {
        std::size_t budget_bytes = std::size_t{256} << 20;
        bool add_counts = false;  // when entries are joined, rather than keep the first count
        bool sort_moves = false;  // the best first, rather than keep the order
    };

    static base::Result<Output> create(const std::filesystem::path& file, const Options& options);

    base::Result<void> add(const Entry& entry);
    // `advance` is called after every entry that was sorted.
    base::Result<void> finish(const std::function<void()>& advance);
    // Positions written.
    [[nodiscard]] std::uint64_t positions() const { return positions_; }

private:
    Output(Format format, std::unique_ptr<Writer> writer, Sorter sorter, const Options& options)
        : format_(format), writer_(std::move(writer)), sorter_(std::move(sorter)), options_(options) {}
    [[nodiscard]] bool same_place(const Entry& a, const Entry& b) const;
    base::Result<void> write(Entry& entry);

    Format format_;
    std::unique_ptr<Writer> writer_;
    Sorter sorter_;
    Options options_;
    std::uint64_t positions_ = 0;
};

}  // namespace tsumugi::book
