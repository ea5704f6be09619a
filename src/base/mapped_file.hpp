// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "base/result.hpp"

namespace tsumugi::base {

// A file seen as memory, read-only. Pages are read when touched, so opening a big file costs nothing.
// The file must not shrink meanwhile: touching what is gone ends the program (SIGBUS). Files of ours are
// replaced by renaming (base/atomic_file.hpp), which leaves the mapped one alone.
class MappedFile {
public:
    enum class Access { sequential, random };

    static Result<MappedFile> open(const std::filesystem::path& path, Access access = Access::sequential);

    MappedFile(MappedFile&& other) noexcept
        : address_(std::exchange(other.address_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    MappedFile& operator=(MappedFile&& other) noexcept {
        std::swap(address_, other.address_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~MappedFile();

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(address_), size_}; }
    [[nodiscard]] std::string_view text() const { return {static_cast<const char*>(address_), size_}; }

private:
    MappedFile(void* address, std::size_t size) : address_(address), size_(size) {}

    void* address_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace tsumugi::base
