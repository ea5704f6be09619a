// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/process.hpp"

namespace tsumugi::test {

// What the program said and how it ended.
struct ProgramRun {
    std::string text;
    std::string errors;
    int status = -1;

    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(text, nullptr, false); }
};

// Runs the program to its end, without input.
inline ProgramRun run_program(const std::vector<std::string>& arguments) {
    base::Command command;
    command.words = {TSUMUGI_BINARY};
    command.words.insert(command.words.end(), arguments.begin(), arguments.end());
    command.errors = base::Command::Errors::capture;
    auto process = base::Process::start(command);
    if (!process) throw std::runtime_error(process.error().message);
    process->close_input();
    ProgramRun run;
    while (true) {
        const auto line = process->read_line(base::Deadline::after(std::chrono::seconds(60)));
        if (line.kind != base::Process::Line::Kind::text) break;
        (line.stream == base::Process::Stream::output ? run.text : run.errors) += line.text + "\n";
    }
    if (const auto status = process->wait(base::Deadline::after(std::chrono::seconds(10)))) run.status = status->number;
    return run;
}

}  // namespace tsumugi::test
