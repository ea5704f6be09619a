// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/tool/file_list.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "record/format.hpp"

namespace tsumugi::record::tool {
namespace {

using base::Error;
using base::Result;
namespace fs = std::filesystem;

Result<void> add_folder(const fs::path& folder, std::vector<InputFile>& files) {
    std::error_code problem;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, problem);
    const std::size_t first = files.size();
    for (; !problem && entry != fs::recursive_directory_iterator(); entry.increment(problem)) {
        const bool hidden = entry->path().filename().string().starts_with('.');
        if (hidden && entry->is_directory()) entry.disable_recursion_pending();
        if (hidden || !entry->is_regular_file() || !format_of_name(entry->path())) continue;
        files.push_back({entry->path(), entry->path().lexically_relative(folder)});
    }
    if (problem) return Error{Error::Code::io, fmt::format("cannot list '{}': {}", folder.string(), problem.message())};
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end(),
              [](const InputFile& a, const InputFile& b) { return a.path < b.path; });
    return {};
}

}  // namespace

Result<std::vector<InputFile>> list_files(const std::vector<std::string>& inputs) {
    std::vector<InputFile> files;
    for (const std::string& input : inputs) {
        const fs::path path(input);
        std::error_code problem;
        const fs::file_status status = fs::status(path, problem);
        if (!fs::exists(status)) return Error{Error::Code::io, fmt::format("there is no file or folder '{}'", input)};
        if (!fs::is_directory(status)) {
            files.push_back({path, path.filename()});
        } else if (auto done = add_folder(path, files); !done) {
            return done.error();
        }
    }
    return files;
}

}  // namespace tsumugi::record::tool
