// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/memory.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <tuple>

#include "base/descriptor.hpp"
#include "base/text.hpp"

namespace tsumugi::base {

Result<HugeMemory> HugeMemory::allocate(std::size_t bytes) {
    if (bytes == 0) return HugeMemory();
    // Huge pages must start on their own boundary: ask for one more and give the ends back.
    const std::size_t size = (bytes + huge_page - 1) / huge_page * huge_page;
    const std::size_t reserved = size + huge_page;
    if (reserved < bytes) return Error{Error::Code::limit, "more memory asked for than can be addressed"};
    void* memory = ::mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        Error error = system_error("cannot get " + human_bytes(bytes) + " of memory; ask for less");
        error.code = Error::Code::limit;
        return error;
    }
    char* const begin = static_cast<char*>(memory);
    const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(begin) % huge_page) % huge_page;
    char* const aligned = begin + before;
    if (before > 0) ::munmap(begin, before);
    if (before < huge_page) ::munmap(aligned + size, huge_page - before);
    // Only a hint: without huge pages everything still works, some percent slower.
    std::ignore = ::madvise(aligned, size, MADV_HUGEPAGE);
    return HugeMemory(aligned, bytes);
}

HugeMemory::~HugeMemory() {
    if (address_ != nullptr) ::munmap(address_, (size_ + huge_page - 1) / huge_page * huge_page);
}

}  // namespace tsumugi::base
