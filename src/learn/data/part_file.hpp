// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <utility>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace tsumugi::learn::data {

// A file that is called NAME.part until it is finished. Unlike the neighbours of base::AtomicFile it can be found
// again, so that work which takes hours goes on after being killed.
class PartFile {
public:
    enum class Start { anew, resumed };

    // Fails when another process is writing it. What an unfinished run left is emptied, unless it is resumed.
    static base::Result<PartFile> open(const std::filesystem::path& target, Start start);
    static std::filesystem::path name_for(const std::filesystem::path& target) { return target.string() + ".part"; }

    PartFile(PartFile&& other) noexcept
        : target_(std::exchange(other.target_, {})), file_(std::move(other.file_)), keep_(other.keep_) {}
    PartFile& operator=(PartFile&&) = delete;
    // Removes what is unfinished, unless it may be resumed.
    ~PartFile();

    [[nodiscard]] std::filesystem::path path() const { return name_for(target_); }
    // Open for writing at its beginning, and locked.
    [[nodiscard]] const base::Descriptor& file() const { return file_; }
    // For a writer that opens and locks it by itself.
    void release() { file_.close(); }

    // Gives it its name. Everything must be on the disk.
    base::Result<void> finish();

private:
    PartFile(std::filesystem::path target, base::Descriptor file, bool keep)
        : target_(std::move(target)), file_(std::move(file)), keep_(keep) {}

    std::filesystem::path target_;
    base::Descriptor file_;
    bool keep_;
};

}  // namespace tsumugi::learn::data
