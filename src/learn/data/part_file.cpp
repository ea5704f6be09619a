// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/part_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/atomic_file.hpp"

namespace tsumugi::learn::data {

using base::Result;

Result<PartFile> PartFile::open(const std::filesystem::path& target, Start start) {
    const std::filesystem::path path = name_for(target);
    base::Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!file.open()) return base::system_error("cannot create " + path.string());
    if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0)
        return base::system_error("cannot lock " + path.string() + " (is another process writing it?)");
    if (start == Start::anew && ::ftruncate(file.number(), 0) != 0)
        return base::system_error("cannot empty " + path.string());
    return PartFile(target, std::move(file), start == Start::resumed);
}

// A moved-from object has no target.
PartFile::~PartFile() {
    if (!target_.empty() && !keep_) ::unlink(path().c_str());
}

Result<void> PartFile::finish() {
    const std::filesystem::path part = path();
    if (::rename(part.c_str(), target_.c_str()) != 0) return base::system_error("cannot rename " + part.string());
    keep_ = true;
    return base::sync_folder(target_.has_parent_path() ? target_.parent_path() : std::filesystem::path("."));
}

}  // namespace tsumugi::learn::data
