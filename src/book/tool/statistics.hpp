// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "book/tool/pipeline.hpp"

namespace tsumugi::book::tool {

// What a book amounts to.
struct Statistics {
    std::uint64_t positions = 0;
    std::uint64_t moves = 0;
    std::array<std::uint64_t, 2> by_side{};  // positions, by the colour to move
    std::uint64_t with_value = 0;            // moves
    std::uint64_t with_depth = 0;
    std::uint64_t with_count = 0;
    std::uint64_t with_reply = 0;
    std::int64_t depth_sum = 0;
    std::int64_t count_sum = 0;
    std::optional<int> lowest_value;
    std::optional<int> highest_value;
    std::map<int, std::uint64_t> by_ply;              // positions
    std::map<std::size_t, std::uint64_t> by_choices;  // positions by their number of moves
    std::string omission;                             // what the file holds and could not be looked at, in a sentence

    void add(const Entry& entry);
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::string json() const;
};

base::Result<Statistics> gather(const std::filesystem::path& file, const Advance& advance);

}  // namespace tsumugi::book::tool
