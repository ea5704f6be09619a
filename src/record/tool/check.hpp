// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "record/game.hpp"
#include "record/tool/file_list.hpp"

namespace tsumugi::record::tool {

struct CheckReport {
    std::size_t files = 0;
    std::size_t games = 0;      // read
    std::size_t moves = 0;      // of the main lines of those
    std::size_t malformed = 0;  // games and files that could not be read
    std::size_t illegal = 0;    // games with a move against the rules that the record does not own up to

    [[nodiscard]] bool clean() const { return malformed == 0 && illegal == 0; }
};

// The first move of any line that is against the rules, as "move 12 (7g7f) is illegal", or an impossible start; empty
// when there is none. A last move that the record itself calls illegal does not count.
std::string find_illegality(const Game& game);

// Calls `complain` with "file:line:column: message" for everything wrong and `advance` after each file.
base::Result<CheckReport> check(const std::vector<std::string>& inputs,
                                const std::function<void(const std::string&)>& complain,
                                const std::function<void(std::size_t)>& advance);

}  // namespace tsumugi::record::tool
