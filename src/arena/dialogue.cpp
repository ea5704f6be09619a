// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/dialogue.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace tsumugi::arena {

using base::Deadline;
using Line = base::Process::Line;

base::Result<Dialogue> Dialogue::start(const std::vector<std::string>& words) {
    base::Command command;
    command.words = words;
    command.errors = base::Command::Errors::discard;
    auto process = base::Process::start(command);
    if (!process) return process.error();
    return Dialogue(*std::move(process));
}

std::optional<std::string_view> Dialogue::after_word(std::string_view line, std::string_view word) {
    if (!line.starts_with(word)) return std::nullopt;
    const std::string_view rest = line.substr(word.size());
    if (!rest.empty() && rest[0] != ' ' && rest[0] != '\t') return std::nullopt;
    return base::trim(rest);
}

bool Dialogue::say(std::string_view line) {
    return process_.write(std::string(line) + "\n", Deadline::after(std::chrono::seconds(2))).ok();
}

bool Dialogue::read(Deadline deadline) {
    // Looked at first: a program that never stops talking must not keep us.
    if (deadline.passed()) return false;
    const Line line = process_.read_line(deadline);
    if (line.kind == Line::Kind::end) ended_ = true;
    if (line.kind != Line::Kind::text) return false;
    heard_.push_back(line.text);
    return true;
}

std::optional<std::string> Dialogue::hear(std::string_view word, std::chrono::milliseconds patience) {
    const auto deadline = Deadline::after(patience);
    while (read(deadline))
        if (const auto rest = after_word(heard_.back(), word)) return std::string(*rest);
    return std::nullopt;
}

void Dialogue::listen(std::chrono::milliseconds time) {
    const auto deadline = Deadline::after(time);
    while (read(deadline)) {
    }
}

std::optional<base::ExitStatus> Dialogue::end(std::chrono::milliseconds patience) {
    const auto deadline = Deadline::after(patience);
    listen(patience);
    return process_.wait(ended_ ? Deadline::after(std::chrono::milliseconds(200)) : deadline);
}

std::size_t Dialogue::count(std::string_view word) const {
    return static_cast<std::size_t>(std::count_if(
        heard_.begin(), heard_.end(), [&](const std::string& line) { return after_word(line, word).has_value(); }));
}

}  // namespace tsumugi::arena
