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

}  // namespace tsumugi::learn::bookmaking
