// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "think/player.hpp"

namespace tsumugi::test {

// Keeps what an engine says while it thinks.
struct Notebook : think::Observer {
    void on_line(const think::Line& line) override { lines.push_back(line); }
    void on_text(const std::string& text) override { texts.push_back(text); }

    std::vector<think::Line> lines;
    std::vector<std::string> texts;
};

}  // namespace tsumugi::test
