// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tsumugi::record::text {

struct Character {
    char32_t code = 0;
    std::size_t bytes = 0;  // 0 only at the end of the text
};

// The character at `at`. A byte that starts no well-formed character counts as one unknown character (U+FFFD),
// so that reading always moves on.
Character character_at(std::string_view text, std::size_t at);

// Where the first byte lies that is not well-formed UTF-8 (overlong forms and surrogates are not).
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

std::size_t character_count(std::string_view text);

void append(std::string& text, char32_t code);

// 1-9 from '1', '１' or '一'; otherwise nothing.
std::optional<int> digit_value(char32_t code);

// Columns a terminal or a monospaced editor needs: two for every character outside ASCII, which is right for the
// kana, kanji and full-width signs of records.
std::size_t display_width(std::string_view text);

}  // namespace tsumugi::record::text
