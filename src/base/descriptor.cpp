// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/descriptor.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace tsumugi::base {

Error system_error(const std::string& what) {
    const int number = errno;
    return {Error::Code::io, what + ": " + std::generic_category().message(number)};
}

void Descriptor::close() {
    // A close interrupted by a signal has closed all the same on Linux: never repeat it.
    if (number_ >= 0) ::close(std::exchange(number_, -1));
}

bool write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace tsumugi::base
