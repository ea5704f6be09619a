// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "book/source.hpp"

namespace tsumugi::book {

using Moves = std::vector<shogi::Move>;

struct LineOptions {
    std::size_t plies = 24;          // where lines are cut
    std::size_t shortest = 1;        // lines that the book ends before are left out
    std::size_t most = 1'000'000;    // lines at most
    std::optional<int> value_limit;  // moves whose value is farther from 0 than this are not followed
    std::optional<int> value_diff;   // nor those worse than the best of the position by more than this
};

// Lines of the book from the start of the even game: every position at the end of one occurs once, whatever ways lead
// to it. The same book gives the same lines in the same order. Illegal moves are passed over.
base::Result<std::vector<Moves>> lines(const Book& book, const LineOptions& options);

// The shortest way by moves of the book from the start of the even game; nothing when there is none.
base::Result<std::optional<Moves>> shortest_path(const Book& book, const shogi::Setup& target,
                                                 std::size_t most_plies = 512);

}  // namespace tsumugi::book
