// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace tsumugi::arena {

// Makes the folder if need be, and keeps other processes from working in it as long as the result lives. The system
// lets go of it when the process dies, however that happens.
base::Result<base::Descriptor> lock_folder(const std::filesystem::path& folder);

}  // namespace tsumugi::arena
