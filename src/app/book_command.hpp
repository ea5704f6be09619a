// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command.hpp"

namespace tsumugi::app {

// Parts of `tsumugi book`.
void add_book_convert(CLI::App& book, Session& session);     // convert, merge, sort, filter
void add_book_inspection(CLI::App& book, Session& session);  // check, diff, stats, path, export
void add_book_from_games(CLI::App& book, Session& session);
void add_book_minimax(CLI::App& book, Session& session);

}  // namespace tsumugi::app
