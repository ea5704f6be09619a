// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tsumugi::arena {

// One thing that a USI engine should do, and whether it does.
struct UsiCheckItem {
    // A program that fails cannot be relied on in a game; a warning is about good manners.
    enum class Verdict { pass, warning, failure };

    std::string name;
    Verdict verdict = Verdict::pass;
    std::string detail;
};

struct UsiCheckReport {
    std::string engine;  // what it calls itself
    std::vector<UsiCheckItem> items;

    // No failures; warnings are allowed.
    [[nodiscard]] bool passed() const;
    [[nodiscard]] std::string to_text() const;
    [[nodiscard]] nlohmann::ordered_json to_json() const;
};

struct UsiCheckSettings {
    std::chrono::milliseconds greeting = std::chrono::seconds(10);
    std::chrono::milliseconds loading = std::chrono::seconds(60);
    std::chrono::milliseconds answer = std::chrono::seconds(10);  // to `stop`, or beyond the time given
    std::chrono::milliseconds byoyomi = std::chrono::seconds(1);  // for a move; some engines know whole seconds only
    std::chrono::milliseconds silence = std::chrono::milliseconds(700);  // how long it must keep silent when told to
};

// Talks with the program as GUIs do, and as careless GUIs do, and judges its answers.
UsiCheckReport check_usi(const std::vector<std::string>& command, const UsiCheckSettings& settings = {});

}  // namespace tsumugi::arena
