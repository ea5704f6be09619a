// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <random>
#include <string>

namespace tsumugi::test {

// Calls `use` with every prefix of a text and with copies that have a few bytes changed, always the same ones.
template <typename Use>
void for_each_damaged(const std::string& text, int changed_copies, Use&& use) {
    for (std::size_t length = 0; length <= text.size(); ++length)
        use(text.substr(0, length));
    std::mt19937 random(20240229);
    for (int i = 0; i < changed_copies && !text.empty(); ++i) {
        std::string copy = text;
        for (int change = 0; change < 1 + i % 4; ++change)
            copy[random() % copy.size()] = static_cast<char>(random() % 256);
        use(copy);
    }
}

}  // namespace tsumugi::test
