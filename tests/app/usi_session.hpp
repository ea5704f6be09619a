// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.hpp"

namespace tsumugi::test {

// The real program as a USI engine.
class UsiSession {
public:
    explicit UsiSession(std::vector<std::string> arguments = {}) : process_(start(std::move(arguments))) {}

    void send(std::string_view line) { send_raw(std::string(line) + "\n"); }
    // False when the program does not read any more.
    bool send_raw(std::string_view bytes) {
        return process_.write(bytes, base::Deadline::after(std::chrono::seconds(20))).ok();
    }
    void close_input() { process_.close_input(); }

    // Lines up to and including the first that starts so; its absence ends the test.
    std::vector<std::string> read_until(std::string_view start,
                                        std::chrono::milliseconds patience = std::chrono::seconds(30)) {
        const auto deadline = base::Deadline::after(patience);
        std::vector<std::string> lines;
        for (;;) {
            const auto line = process_.read_line(deadline);
            if (line.kind != base::Process::Line::Kind::text)
                throw std::runtime_error("no '" + std::string(start) + "' came" +
                                         (lines.empty() ? "" : "; the last line was: " + lines.back()));
            lines.push_back(line.text);
            if (line.text.substr(0, start.size()) == start) return lines;
        }
    }
    std::string wait_for(std::string_view start) { return read_until(start).back(); }
    // What is said until the end of the program.
    std::vector<std::string> read_all() {
        std::vector<std::string> lines;
        for (;;) {
            const auto line = process_.read_line(base::Deadline::after(std::chrono::seconds(30)));
            if (line.kind != base::Process::Line::Kind::text) return lines;
            lines.push_back(line.text);
        }
    }
    std::optional<base::ExitStatus> wait(std::chrono::milliseconds patience = std::chrono::seconds(20)) {
        return process_.wait(base::Deadline::after(patience));
    }

private:
    static base::Process start(std::vector<std::string> arguments) {
        base::Command command;
        command.words = {TSUMUGI_BINARY};
        command.words.insert(command.words.end(), arguments.begin(), arguments.end());
        auto process = base::Process::start(command);
        if (!process) throw std::runtime_error(process.error().message);
        return *std::move(process);
    }

    base::Process process_;
};

}  // namespace tsumugi::test
