// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "book/tool/pipeline.hpp"

namespace tsumugi::book::tool {

struct CheckReport {
    std::uint64_t positions = 0;
    std::uint64_t moves = 0;
    std::uint64_t out_of_order = 0;  // positions that come before the one before them
    std::uint64_t repeated = 0;      // positions that come twice in a row with the same ply
    std::uint64_t impossible = 0;    // positions
    std::uint64_t illegal = 0;       // moves
    std::uint64_t doubled = 0;       // moves that a position has twice
    std::uint64_t empty = 0;         // positions without a move
    bool malformed = false;          // could not be read to the end
    std::string omission;            // what the file holds and could not be looked at, in a sentence

    [[nodiscard]] bool clean() const {
        return !malformed && out_of_order + repeated + impossible + illegal + doubled == 0;
    }
    // In order and without repetition, so that a search on the file finds everything.
    [[nodiscard]] bool sorted() const { return out_of_order == 0; }
};

// Calls `complain` for everything wrong with one sentence that names position and move.
base::Result<CheckReport> check(const std::filesystem::path& file,
                                const std::function<void(const std::string&)>& complain, const Advance& advance);

}  // namespace tsumugi::book::tool
