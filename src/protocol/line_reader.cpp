// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/line_reader.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace tsumugi::protocol {

bool LineReader::receive() {
    std::array<char, 65536> chunk;
    ssize_t count = 0;
    do {
        count = ::read(descriptor_, chunk.data(), chunk.size());
    } while (count < 0 && errno == EINTR);
    if (count <= 0) return false;
    buffer_.erase(0, taken_);
    searched_ -= taken_;
    taken_ = 0;
    buffer_.append(chunk.data(), static_cast<std::size_t>(count));
    return true;
}

std::optional<std::string> LineReader::next() {
    for (;;) {
        const std::size_t end = buffer_.find('\n', searched_);
        if (end != std::string::npos) {
            std::string line = buffer_.substr(taken_, end - taken_);
            taken_ = searched_ = end + 1;
            const bool tail = std::exchange(dropping_, false);
            if (tail) continue;
            if (!line.empty() && line.back() == '\r') line.pop_back();
            return line;
        }
        searched_ = buffer_.size();
        if (buffer_.size() - taken_ > longest_line) {
            const bool first = !std::exchange(dropping_, true);
            std::string line = buffer_.substr(taken_, longest_line);
            taken_ = buffer_.size();
            if (first) return line;
        }
        if (ended_ || !receive()) {
            ended_ = true;
            if (taken_ == buffer_.size() || dropping_) return std::nullopt;
            std::string line = buffer_.substr(taken_);
            taken_ = searched_ = buffer_.size();
            return line;
        }
    }
}

}  // namespace tsumugi::protocol
