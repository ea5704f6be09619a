// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <fmt/format.h>

namespace tsumugi::arena {

using base::Error;
using base::Result;

Result<base::Descriptor> lock_folder(const std::filesystem::path& folder) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    const auto file = folder / "lock";
    base::Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!lock.open()) return Error{Error::Code::io, fmt::format("cannot write in the folder '{}'", folder.string())};
    if (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0)
        return Error{Error::Code::io, fmt::format("another process is working in '{}'", folder.string())};
    return lock;
}

}  // namespace tsumugi::arena
