// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace tsumugi::record::tool {

struct InputFile {
    std::filesystem::path path;
    std::filesystem::path relative;  // below the folder it was found in; the bare name if it was named itself
};

// The files named and, for folders, every file below whose extension is that of a record format, sorted by path so
// that results do not depend on the file system. Hidden files are left out.
base::Result<std::vector<InputFile>> list_files(const std::vector<std::string>& inputs);

}  // namespace tsumugi::record::tool
