// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/workspace.hpp"

#include <fstream>
#include <optional>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "book/file.hpp"

namespace tsumugi::book {
namespace {

using base::Error;
using base::Result;
namespace fs = std::filesystem;

std::string_view describe(WorkspaceKind kind) {
    switch (kind) {
        case WorkspaceKind::games: return "a workspace of `book from-games`";
        case WorkspaceKind::work: return "a workspace of `book duel`, `think` and `loop`";
    }
    std::abort();  // unreachable: the switch names every value
}

// How to look into a database without changing it; nothing for a file that is none. One that keeps a write-ahead log,
// as workspaces do, is opened for writing: who only reads leaves the log's files behind.
std::optional<store::Database::Mode> mode_for(const fs::path& file) {
    static constexpr std::string_view magic = "SQLite format 3";
    std::string header(100, '\0');
    std::ifstream in(file, std::ios::binary);
    if (!in.read(header.data(), static_cast<std::streamsize>(header.size())) || !header.starts_with(magic))
        return std::nullopt;
    const bool logs = header[18] == 2;  // the format's version for writers
    return logs ? store::Database::Mode::read_write : store::Database::Mode::read_only;
}

Result<bool> has_table(store::Database& database, std::string_view name) {
    const auto count =
        database.value<int>("SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = ?", name);
    if (!count) return count.error();
    return count->value_or(0) > 0;
}

// What the file is, when it is not of the kind it should be. Each kind has a table of a name the other has not.
Result<std::string_view> other_kind(store::Database& database, WorkspaceKind wanted) {
    const auto tables = database.value<int>("SELECT COUNT(*) FROM sqlite_schema");
    if (!tables) return tables.error();
    if (tables->value_or(0) == 0) return std::string_view();
    const auto games = has_table(database, "rule");
    if (!games) return games.error();
    const auto work = has_table(database, "step");
    if (!work) return work.error();
    if (*games == *work) return std::string_view("a database of something else");
    const WorkspaceKind kind = *games ? WorkspaceKind::games : WorkspaceKind::work;
    return kind == wanted ? std::string_view() : describe(kind);
}

Result<void> check(const fs::path& file, WorkspaceKind kind) {
    std::error_code problem;
    if (!fs::exists(file, problem) || fs::is_empty(file, problem)) return {};
    const auto wrong = [&](std::string_view what) {
        return Error{Error::Code::unsupported,
                     fmt::format("{}: this is {}, not {}", file.string(), what, describe(kind))};
    };
    const auto mode = mode_for(file);
    if (!mode) return wrong(format_of_name(file) ? "a book" : "no database");
    auto database = store::Database::open(file, *mode);
    if (!database) return database.error();
    const auto other = other_kind(*database, kind);
    if (!other) return other.error().in(file.string());
    return other->empty() ? Result<void>() : wrong(*other);
}

}  // namespace

Result<store::Database> open_workspace(const fs::path& file, WorkspaceKind kind,
                                       std::span<const std::string_view> schema) {
    if (const auto fine = check(file, kind); !fine) return fine.error();
    auto database = store::Database::open(file);
    if (!database) return database;
    if (const auto done = database->migrate(schema); !done) return done.error().in(file.string());
    return database;
}

}  // namespace tsumugi::book
