// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "book/tool/minimax_book.hpp"
#include "learn/bookmaking/workspace.hpp"

namespace tsumugi::learn::bookmaking {

struct Publication {
    std::filesystem::path output;
    int draw_black = 0;           // what a draw is worth to Black when Black uses the book
    int draw_white = 0;           // and to White when White does
    bool non_promotions = false;  // add moves without promotion where they come to the same
    book::Output::Options writing;
};

// Writes the workspace as a book with backed-up values, in place of an older one.
base::Result<book::tool::MinimaxReport> publish(const Workspace& workspace, const Publication& publication);

struct TakeoverReport {
    std::uint64_t positions = 0;  // of the book
    std::uint64_t moves = 0;      // that the workspace did not know, or not the value of
    std::string omission;         // what the book holds and could not be read, in a sentence
};

// Makes the positions of a finished book part of the workspace, to be extended like its own. What the workspace knows
// already stays; illegal moves are left out. Doing it twice changes nothing.
base::Result<TakeoverReport> take_over(Workspace& workspace, const std::filesystem::path& file,
                                       const book::tool::Advance& advance);

}  // namespace tsumugi::learn::bookmaking
