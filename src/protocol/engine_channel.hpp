// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "base/process.hpp"

namespace tsumugi::protocol {

// What the lines of a USI engine go through: the pipes of a process, or a way to another machine. One thread may read
// while another writes.
class EngineChannel {
public:
    virtual ~EngineChannel() = default;

    // The next line, waiting for it at most until the deadline.
    virtual base::Process::Line read_line(base::Deadline deadline) = 0;
    // A line with its end.
    virtual base::Result<void> write(std::string_view text, base::Deadline deadline) = 0;
    // Ends the engine at once.
    virtual void kill() = 0;
    // Lets the engine end, or ends it, and says how it ended.
    virtual std::string finish(std::chrono::milliseconds patience) = 0;
};

base::Result<std::unique_ptr<EngineChannel>> open_process_channel(const base::Command& command);

}  // namespace tsumugi::protocol
