// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "base/result.hpp"

namespace tsumugi::base {

// The whole content. Pipes and files of unknown length (/proc) work too.
Result<std::string> read_file(const std::filesystem::path& path);

}  // namespace tsumugi::base
