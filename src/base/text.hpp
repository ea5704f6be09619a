// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include "base/result.hpp"

namespace tsumugi::base {

// Pieces between separators; "a,,b" has an empty one in the middle and "" is one empty piece.
std::vector<std::string_view> split(std::string_view text, char separator);

// Runs of characters other than space, tab, CR, LF.
std::vector<std::string_view> split_words(std::string_view text);

// Words of a command line; quotes and backslashes protect spaces as in a shell.
Result<std::vector<std::string>> split_command(std::string_view text);

// Lines without their ends (LF or CRLF); a final line end starts no further line.
std::vector<std::string_view> split_lines(std::string_view text);

std::string_view trim(std::string_view text);
std::string join(const std::vector<std::string>& parts, std::string_view separator);

// ASCII only, whatever the locale.
std::string to_lower(std::string_view text);

// At most `limit` bytes, cut between UTF-8 characters, with "..." in place of what was cut. For messages.
std::string shorten(std::string_view text, std::size_t limit);

// Columns a terminal uses for UTF-8 text: Chinese characters, kana and the like take two.
std::size_t display_width(std::string_view text);

// 1234567 -> "1.23M"; exact below 1000.
std::string human_count(double count);
// 1536 -> "1.50 KiB".
std::string human_bytes(std::uint64_t bytes);
// 0.0123 -> "12.3ms", 42 -> "42.0s", 3725 -> "1:02:05", 200000 -> "2d 07:33:20".
std::string human_duration(double seconds);

// The whole text as a number: no surrounding spaces, no '+', nothing left over. Never depends on the locale.
template <typename T>
requires(std::is_arithmetic_v<T> && !std::same_as<T, bool>) Result<T> parse_number(std::string_view text) {
    T value{};
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem == std::errc::result_out_of_range)
        return Error{Error::Code::range, "number out of range: '" + shorten(text, 40) + "'"};
    if (problem != std::errc() || end != text.data() + text.size())
        return Error{Error::Code::syntax,
                     std::string(std::is_integral_v<T> ? "expected an integer" : "expected a number") + ", got '" +
                         shorten(text, 40) + "'"};
    return value;
}

// The same with limits named in the message.
template <typename T>
Result<T> parse_number(std::string_view text, T lowest, T highest) {
    const Result<T> value = parse_number<T>(text);
    const bool too_far = !value.ok() && value.error().code == Error::Code::range;
    if (!too_far && (!value.ok() || (lowest <= *value && *value <= highest))) return value;
    return Error{Error::Code::range, "expected a number from " + std::to_string(lowest) + " to " +
                                         std::to_string(highest) + ", got '" + shorten(text, 40) + "'"};
}

}  // namespace tsumugi::base
