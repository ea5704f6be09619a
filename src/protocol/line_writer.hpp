// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace tsumugi::protocol {

// Lines to the outside from any thread, each whole and at once, and a copy of both directions in a log file.
class LineWriter {
public:
    using Write = std::function<void(std::string_view)>;

    explicit LineWriter(Write write) : write_(std::move(write)) {}
    // A reader that is gone is not an error here: the end of the input will tell.
    explicit LineWriter(int descriptor);

    void line(std::string_view text);
    // Something for the user to read: "info string …", one line for each line of the text.
    void info(std::string_view text);

    // Starts the log, or ends it when the path is empty.
    base::Result<void> log_to(const std::filesystem::path& path);
    // A line that came from the other side.
    void log_input(std::string_view text);

private:
    void log(char direction, std::string_view text);

    std::mutex mutex_;
    Write write_;
    base::Descriptor log_;
    base::Stopwatch since_start_;
};

}  // namespace tsumugi::protocol
