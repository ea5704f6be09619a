// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "record/text/utf8.hpp"

namespace tsumugi::record::text {

// A line without its end, numbered from 1 for messages.
struct Line {
    std::string_view text;
    std::size_t number = 1;
};

// Lines end with LF, CR LF or CR; what follows the last end is a line only if it is not empty.
std::vector<Line> split_lines(std::string_view text);

// Without spaces and tabs, half and full width, at both ends.
std::string_view trim(std::string_view text);

// Reads a line from left to right and knows where it is when something is wrong.
class Cursor {
public:
    explicit Cursor(const Line& line) : line_(line) {}

    [[nodiscard]] bool at_end() const { return at_ >= line_.text.size(); }
    [[nodiscard]] char32_t peek() const { return character_at(line_.text, at_).code; }
    [[nodiscard]] std::string_view rest() const { return line_.text.substr(at_); }
    [[nodiscard]] std::string_view whole() const { return line_.text; }

    void advance() { at_ += character_at(line_.text, at_).bytes; }
    void skip_spaces();
    // Moves past `literal` if it comes next.
    bool accept(std::string_view literal);
    // Moves past a digit 1-9 in any of its widths.
    std::optional<int> accept_digit();
    // Moves past a decimal number of half- or full-width digits; nothing if there is none or it exceeds `largest`.
    std::optional<int> accept_number(int largest);

    // "line 12, column 5: expected a square such as ７六, found 'x'".
    [[nodiscard]] base::Error expected(std::string_view what) const;
    // "line 12, column 5: `message`".
    [[nodiscard]] base::Error problem(std::string_view message) const;

private:
    Line line_;
    std::size_t at_ = 0;
};

}  // namespace tsumugi::record::text
