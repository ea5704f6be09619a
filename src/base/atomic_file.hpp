// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string_view>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace tsumugi::base {

// A file that appears under its name whole or not at all, whatever happens in between: power loss,
// kill -9, a full disk. Until commit() succeeds the old file stays as it was.
//
// The bytes go to a hidden neighbour ".NAME.….tmp" (rename is atomic only within one file system). A
// killed writer leaves that neighbour behind; the next writer of the same file removes it.
class AtomicFile {
public:
    static Result<AtomicFile> create(const std::filesystem::path& path);

    AtomicFile(AtomicFile&&) = default;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile();

    // After an error nothing more may be written and commit() refuses.
    Result<void> write(std::string_view bytes);

    // Forces the bytes to the disk and gives them the name. Nothing may be written afterwards.
    Result<void> commit();

private:
    AtomicFile(std::filesystem::path target, std::filesystem::path temporary, Descriptor file)
        : target_(std::move(target)), temporary_(std::move(temporary)), file_(std::move(file)) {}

    std::filesystem::path target_;
    std::filesystem::path temporary_;
    Descriptor file_;
    bool failed_ = false;
};

// The whole content in one step.
Result<void> write_file(const std::filesystem::path& path, std::string_view content);

// Makes renames, new names and removals in a folder survive power loss.
Result<void> sync_folder(const std::filesystem::path& folder);

}  // namespace tsumugi::base
