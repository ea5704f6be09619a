// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "base/result.hpp"
#include "store/sqlite.hpp"

namespace tsumugi::book {

// What a database with a book in the making is for.
enum class WorkspaceKind : std::uint8_t {
    games,  // counts moves of games
    work,   // plays and thinks
};

// Opens a workspace and brings it up to date by the steps of its schema, or makes a new one. A file that is something
// else is left alone, and the error says what it is.
base::Result<store::Database> open_workspace(const std::filesystem::path& file, WorkspaceKind kind,
                                             std::span<const std::string_view> schema);

}  // namespace tsumugi::book
