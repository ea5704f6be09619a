// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "store/sqlite.hpp"

namespace tsumugi::book {

// The books that a workspace writes and so may replace, in its table
//   CREATE TABLE output (path TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID
// whose paths are relative to the workspace, so that both may move together. An empty path stands for the book that was
// written before there was such a table: whichever is named first.
class OutputLog {
public:
    explicit OutputLog(const std::filesystem::path& workspace);

    // Takes a book for the workspace's own from now on. A file that exists and is not is refused unless asked for.
    base::Result<void> claim(store::Database& database, const std::filesystem::path& output, bool overwrite) const;
    // Notes what a book was made of, once it stands under its name.
    base::Result<void> note(store::Database& database, const std::filesystem::path& output,
                            const std::string& state) const;
    // What was noted last: empty before that, and nothing for a book that is not the workspace's own.
    [[nodiscard]] base::Result<std::optional<std::string>> state(store::Database& database,
                                                                 const std::filesystem::path& output) const;

    // Says that a file is not replaced unasked.
    static base::Error refusal(const std::filesystem::path& output);

private:
    [[nodiscard]] std::string name(const std::filesystem::path& output) const;

    std::filesystem::path folder_;
};

}  // namespace tsumugi::book
