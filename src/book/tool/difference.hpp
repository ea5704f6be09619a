// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "book/tool/pipeline.hpp"

namespace tsumugi::book::tool {

struct DifferenceReport {
    std::uint64_t same = 0;        // positions with the same moves and values
    std::uint64_t only_first = 0;  // positions
    std::uint64_t only_second = 0;
    std::uint64_t changed = 0;           // positions in both with something different
    std::uint64_t best_changed = 0;      // of those, where another move is the best
    std::vector<std::string> omissions;  // what the books hold and could not be compared, in sentences

    [[nodiscard]] bool none() const { return only_first + only_second + changed == 0; }
};

// What one book says that the other does not. The order and the plies of positions, the order of moves, and comments
// do not count. Calls `show` with a line for every difference: "-" and "+" begin what only the first or the second has.
base::Result<DifferenceReport> compare(const std::filesystem::path& first, const std::filesystem::path& second,
                                       std::size_t budget_bytes, const std::function<void(const std::string&)>& show,
                                       const Advance& advance);

}  // namespace tsumugi::book::tool
