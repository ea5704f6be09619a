// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "store/sqlite.hpp"

namespace tsumugi::book {

// The books that a workspace has written, in its table
//   CREATE TABLE output (path TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID
// whose paths are relative to the workspace, so that both may move together.
class OutputLog {
public:
    explicit OutputLog(const std::filesystem::path& workspace);

    // Notes what a book was made of, once it stands under its name.
    base::Result<void> note(store::Database& database, const std::filesystem::path& output,
                            const std::string& state) const;
    // What was noted last; nothing for a book that the workspace has not written.
    [[nodiscard]] base::Result<std::optional<std::string>> state(store::Database& database,
                                                                 const std::filesystem::path& output) const;

private:
    [[nodiscard]] std::string name(const std::filesystem::path& output) const;

    std::filesystem::path folder_;
};

}  // namespace tsumugi::book
