// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "app/command.hpp"
#include "base/result.hpp"
#include "shogi/position.hpp"

namespace tsumugi::app {

// A position given as SFEN, or as "startpos moves …".
base::Result<shogi::Position> named_position(const std::string& text);

// Whether a workspace that may not exist yet can write a book there: to be asked before anything is made.
base::Result<void> check_output(const std::filesystem::path& output, const std::filesystem::path& workspace,
                                bool overwrite);

// Parts of `tsumugi book`.
void add_book_convert(CLI::App& book, Session& session);     // convert, merge, sort, filter
void add_book_inspection(CLI::App& book, Session& session);  // check, diff, stats, path, export
void add_book_from_games(CLI::App& book, Session& session);
void add_book_minimax(CLI::App& book, Session& session);
void add_book_making(CLI::App& book, Session& session);  // duel, think, loop, explain

}  // namespace tsumugi::app
