// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/result.hpp"
#include "learn/data/item.hpp"

namespace tsumugi::learn::data {

// Training data being read, with little of it in memory. Errors name the file, the record and its place.
class Source {
public:
    virtual ~Source() = default;

    // The next item, or false at the end.
    virtual base::Result<bool> next(Item& item) = 0;

    [[nodiscard]] virtual bool holds_games() const = 0;
    // So far, for a display of progress.
    [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;
    [[nodiscard]] virtual std::uint64_t bytes() const = 0;
    // Of an archive, so far: skipped, the rest is read.
    [[nodiscard]] virtual std::uint64_t damaged_bytes() const { return 0; }
    // No more than this will come. May take a while for an archive.
    [[nodiscard]] virtual base::Result<std::uint64_t> most_positions() const = 0;
};

// By the name of the file (learn/data/format.hpp).
base::Result<std::unique_ptr<Source>> open_source(const std::filesystem::path& path);
// One after the other. It holds games when all of them do.
base::Result<std::unique_ptr<Source>> open_sources(const std::vector<std::filesystem::path>& paths);

}  // namespace tsumugi::learn::data
