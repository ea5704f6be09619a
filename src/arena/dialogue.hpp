// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.hpp"

namespace tsumugi::arena {

// A conversation, line by line, with a program under test. Everything said is kept.
class Dialogue {
public:
    static base::Result<Dialogue> start(const std::vector<std::string>& command);

    // False when the program does not listen any more.
    bool say(std::string_view line);
    // Waits for a line whose first word is `word` and returns the rest of it.
    std::optional<std::string> hear(std::string_view word, std::chrono::milliseconds patience);
    // All lines that come within the time.
    void listen(std::chrono::milliseconds time);
    void close_input() { process_.close_input(); }
    // Nothing when it is still running after that time.
    std::optional<base::ExitStatus> end(std::chrono::milliseconds patience);

    // Lines of the program since forget(), those that were waited for included.
    [[nodiscard]] const std::vector<std::string>& heard() const { return heard_; }
    void forget() { heard_.clear(); }
    [[nodiscard]] std::size_t count(std::string_view word) const;
    [[nodiscard]] bool ended() const { return ended_; }

    // The rest of a line when its first word is `word`.
    static std::optional<std::string_view> after_word(std::string_view line, std::string_view word);

private:
    explicit Dialogue(base::Process process) : process_(std::move(process)) {}
    // False at the deadline and at the end.
    bool read(base::Deadline deadline);

    base::Process process_;
    std::vector<std::string> heard_;
    bool ended_ = false;
};

}  // namespace tsumugi::arena
