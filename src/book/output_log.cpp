// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/output_log.hpp"

#include <system_error>

#include <fmt/format.h>

namespace tsumugi::book {
namespace {

using base::Result;
namespace fs = std::filesystem;

// Also of a file that is not there.
fs::path canonical_name(const fs::path& file) {
    std::error_code problem;
    const fs::path whole = fs::absolute(file, problem);
    const fs::path canonical = fs::weakly_canonical(whole, problem);
    return problem ? whole.lexically_normal() : canonical;
}

}  // namespace

base::Error OutputLog::refusal(const fs::path& output) {
    return {base::Error::Code::io,
            fmt::format("{}: exists already and was not made from this workspace; use --force to "
                        "replace it",
                        output.string())};
}

OutputLog::OutputLog(const fs::path& workspace) : folder_(canonical_name(workspace).parent_path()) {}

std::string OutputLog::name(const fs::path& output) const {
    return canonical_name(output).lexically_relative(folder_).generic_string();
}

Result<void> OutputLog::claim(store::Database& database, const fs::path& output, bool overwrite) const {
    const auto known = state(database, output);
    if (!known) return known.error();
    if (*known) return {};
    const auto unnamed = database.value<int>("SELECT COUNT(*) FROM output WHERE path = ''");
    if (!unnamed) return unnamed.error();
    std::error_code problem;
    if (!overwrite && unnamed->value_or(0) == 0 && fs::exists(output, problem)) return refusal(output);
    if (const auto noted = note(database, output, ""); !noted) return noted;
    return database.run("DELETE FROM output WHERE path = ''");
}

Result<void> OutputLog::note(store::Database& database, const fs::path& output, const std::string& state) const {
    return database.run("INSERT OR REPLACE INTO output VALUES (?, ?)", name(output), state);
}

Result<std::optional<std::string>> OutputLog::state(store::Database& database, const fs::path& output) const {
    return database.value<std::string>("SELECT state FROM output WHERE path = ?", name(output));
}

}  // namespace tsumugi::book
