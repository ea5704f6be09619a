// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/spool.hpp"

#include <unistd.h>

#include <cstdlib>

#include <fmt/format.h>

namespace tsumugi::book {

using base::Result;

Result<Spool> Spool::create(const std::filesystem::path& folder) {
    std::string name = ((folder.empty() ? "." : folder) / ".tsumugi-spool-XXXXXX").string();
    base::Descriptor file(::mkstemp(name.data()));
    if (!file.open()) return base::system_error("cannot create a temporary file in " + folder.string());
    ::unlink(name.c_str());
    return Spool(std::move(file));
}

Result<void> Spool::write(std::string_view bytes) {
    static constexpr std::size_t buffer_size = std::size_t{1} << 20;
    pending_ += bytes;
    size_ += bytes.size();
    if (pending_.size() < buffer_size) return {};
    return flush();
}

Result<void> Spool::flush() {
    if (!base::write_all(file_.number(), pending_)) return base::system_error("cannot write a temporary file");
    pending_.clear();
    return {};
}

Result<base::MappedFile> Spool::read() {
    if (const auto flushed = flush(); !flushed) return flushed.error();
    // The only way to a file that has no name any more.
    return base::MappedFile::open(fmt::format("/proc/self/fd/{}", file_.number()));
}

}  // namespace tsumugi::book
