// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <tuple>

#include "base/descriptor.hpp"

namespace tsumugi::base {

Result<MappedFile> MappedFile::open(const std::filesystem::path& path, Access access) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (!file.open() || ::fstat(file.number(), &status) != 0) return system_error("cannot open " + path.string());
    if (!S_ISREG(status.st_mode)) return Error{Error::Code::io, path.string() + " is not a regular file"};
    // The system refuses to map nothing; an empty file is an empty view.
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) return MappedFile(nullptr, 0);
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (address == MAP_FAILED) return system_error("cannot map " + path.string());
    std::ignore = ::madvise(address, size, access == Access::random ? MADV_RANDOM : MADV_SEQUENTIAL);
    return MappedFile(address, size);
}

MappedFile::~MappedFile() {
    if (address_ != nullptr) ::munmap(address_, size_);
}

}  // namespace tsumugi::base
