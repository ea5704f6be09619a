// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/descriptor.hpp"

namespace tsumugi::base {

Result<std::string> read_file(const std::filesystem::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (!file.open() || ::fstat(file.number(), &status) != 0) return system_error("cannot open " + path.string());

    // One byte more than the stated size, so that a file of that size ends without growing the text.
    std::string content(static_cast<std::size_t>(std::max<off_t>(status.st_size, 4095)) + 1, '\0');
    std::size_t size = 0;
    for (;;) {
        if (size == content.size()) content.resize(content.size() * 2);
        const ssize_t count = ::read(file.number(), content.data() + size, content.size() - size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return system_error("cannot read " + path.string());
        if (count == 0) break;
        size += static_cast<std::size_t>(count);
    }
    content.resize(size);
    return content;
}

}  // namespace tsumugi::base
