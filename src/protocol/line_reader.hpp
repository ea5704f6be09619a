// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace tsumugi::protocol {

// Lines from a file descriptor, as they come. Lines end with LF or CRLF; a last line without an end counts.
class LineReader {
public:
    // Of a longer line only the beginning is kept: a position after a thousand moves has five thousand bytes.
    static constexpr std::size_t longest_line = std::size_t{4} << 20;

    explicit LineReader(int descriptor) : descriptor_(descriptor) {}

    // Waits for the next line; nothing at the end of the input.
    std::optional<std::string> next();

private:
    bool receive();

    int descriptor_;
    std::string buffer_;
    std::size_t taken_ = 0;     // bytes of the buffer already handed out
    std::size_t searched_ = 0;  // bytes of the buffer known to hold no line end
    bool dropping_ = false;     // within the rest of a line that was too long
    bool ended_ = false;
};

}  // namespace tsumugi::protocol
