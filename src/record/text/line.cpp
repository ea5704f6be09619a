// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/text/line.hpp"

#include <fmt/format.h>

namespace tsumugi::record::text {
namespace {

constexpr std::string_view full_width_space = "　";

bool is_space(char32_t code) { return code == U' ' || code == U'\t' || code == U'　'; }

std::optional<int> decimal_value(char32_t code) {
    if (code >= U'0' && code <= U'9') return static_cast<int>(code - U'0');
    if (code >= U'０' && code <= U'９') return static_cast<int>(code - U'０');
    return std::nullopt;
}

}  // namespace

std::vector<Line> split_lines(std::string_view text) {
    std::vector<Line> lines;
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
        lines.push_back({text.substr(at, end - at), ++number});
        at = end + (text.substr(end).starts_with("\r\n") ? 2 : 1);
    }
    return lines;
}

std::string_view trim(std::string_view text) {
    for (;;) {
        if (text.starts_with(' ') || text.starts_with('\t'))
            text.remove_prefix(1);
        else if (text.starts_with(full_width_space))
            text.remove_prefix(full_width_space.size());
        else if (text.ends_with(' ') || text.ends_with('\t'))
            text.remove_suffix(1);
        else if (text.ends_with(full_width_space))
            text.remove_suffix(full_width_space.size());
        else
            return text;
    }
}

void Cursor::skip_spaces() {
    while (!at_end() && is_space(peek()))
        advance();
}

bool Cursor::accept(std::string_view literal) {
    if (!rest().starts_with(literal)) return false;
    at_ += literal.size();
    return true;
}

std::optional<int> Cursor::accept_digit() {
    const auto value = digit_value(peek());
    if (value) advance();
    return value;
}

std::optional<int> Cursor::accept_number(int largest) {
    const std::size_t begin = at_;
    int number = 0;
    bool any = false;
    while (const auto digit = decimal_value(peek())) {
        number = number * 10 + *digit;
        any = true;
        if (number > largest) {
            at_ = begin;
            return std::nullopt;
        }
        advance();
    }
    if (!any) return std::nullopt;
    return number;
}

base::Error Cursor::expected(std::string_view what) const {
    if (at_end()) return problem(fmt::format("expected {}, found the end of the line", what));
    return problem(
        fmt::format("expected {}, found '{}'", what, line_.text.substr(at_, character_at(line_.text, at_).bytes)));
}

base::Error Cursor::problem(std::string_view message) const {
    const std::size_t column = character_count(line_.text.substr(0, at_)) + 1;
    return {base::Error::Code::syntax, fmt::format("line {}, column {}: {}", line_.number, column, message)};
}

}  // namespace tsumugi::record::text
