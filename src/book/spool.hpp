// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"
#include "base/mapped_file.hpp"
#include "base/result.hpp"

namespace tsumugi::book {

// Bytes that wait on the disk: written once, then read as memory. The file has no name, so that nothing of it stays
// behind however the program ends.
class Spool {
public:
    // In this folder, which should be that of the result: it is known to have room and to be writable.
    static base::Result<Spool> create(const std::filesystem::path& folder);

    base::Result<void> write(std::string_view bytes);
    [[nodiscard]] std::uint64_t size() const { return size_; }
    // After the last write.
    base::Result<base::MappedFile> read();

private:
    explicit Spool(base::Descriptor file) : file_(std::move(file)) {}
    base::Result<void> flush();

    base::Descriptor file_;
    std::string pending_;
    std::uint64_t size_ = 0;
};

}  // namespace tsumugi::book
