// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tsumugi::base {

namespace {
constexpr std::string_view spaces = " \t\r\n";

struct CodeRange {
    char32_t first;
    char32_t last;
};

// The blocks of Unicode's East Asian Width classes W and F that occur in practice.
constexpr std::array<CodeRange, 15> wide_ranges = {{{0x1100, 0x115F},
                                                    {0x2E80, 0x303E},
                                                    {0x3041, 0x33FF},
                                                    {0x3400, 0x4DBF},
                                                    {0x4E00, 0x9FFF},
                                                    {0xA000, 0xA4CF},
                                                    {0xAC00, 0xD7A3},
                                                    {0xF900, 0xFAFF},
                                                    {0xFE30, 0xFE6F},
                                                    {0xFF01, 0xFF60},
                                                    {0xFFE0, 0xFFE6},
                                                    {0x1F300, 0x1F64F},
                                                    {0x1F680, 0x1F6FF},
                                                    {0x1F900, 0x1F9FF},
                                                    {0x20000, 0x3FFFD}}};
// Marks drawn over the character before them, and characters with no shape of their own.
constexpr std::array<CodeRange, 4> narrow_ranges = {
    {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x3099, 0x309A}, {0xFE00, 0xFE0F}}};

template <std::size_t Count>
bool within(const std::array<CodeRange, Count>& ranges, char32_t code) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [code](CodeRange range) { return range.first <= code && code <= range.last; });
}

// Takes one character off the front. A byte that starts no proper sequence counts as one character.
char32_t take_character(std::string_view& text) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    char32_t code = length == 1 ? first : first & (0x7FU >> length);
    std::size_t used = 1;
    for (; used < length && used < text.size(); ++used) {
        const auto next = static_cast<unsigned char>(text[used]);
        if ((next & 0xC0) != 0x80) break;
        code = (code << 6) | (next & 0x3F);
    }
    text.remove_prefix(used);
    return used == length ? code : U'?';
}
}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    for (;;) {
        const std::size_t end = text.find(separator);
        pieces.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return pieces;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string_view> split_words(std::string_view text) {
    std::vector<std::string_view> words;
    std::size_t begin = text.find_first_not_of(spaces);
    while (begin != std::string_view::npos) {
        const std::size_t end = text.find_first_of(spaces, begin);
        words.push_back(text.substr(begin, end - begin));
        begin = end == std::string_view::npos ? end : text.find_first_not_of(spaces, end);
    }
    return words;
}

Result<std::vector<std::string>> split_command(std::string_view text) {
    std::vector<std::string> words;
    bool within = false;  // a word has begun, maybe an empty quoted one
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote == 0 && (c == ' ' || c == '\t')) {
            within = false;
            continue;
        }
        if (!within) words.emplace_back();
        within = true;
        if (c == quote)
            quote = 0;
        else if (quote == 0 && (c == '"' || c == '\''))
            quote = c;
        else if (c == '\\' && quote != '\'' && i + 1 < text.size())
            words.back() += text[++i];
        else
            words.back() += c;
    }
    if (quote != 0) return Error{Error::Code::syntax, fmt::format("the quote {} in '{}' is never closed", quote, text)};
    return words;
}

std::vector<std::string_view> split_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

std::string_view trim(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(spaces);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    return fmt::format("{}", fmt::join(parts, separator));
}

std::string to_lower(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

std::string shorten(std::string_view text, std::size_t limit) {
    constexpr std::string_view mark = "...";
    if (text.size() <= limit) return std::string(text);
    std::size_t end = limit < mark.size() ? 0 : limit - mark.size();
    // A byte 10xxxxxx continues a character: step back to where that character begins.
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;
    return std::string(text.substr(0, end)) + std::string(mark.substr(0, limit));
}

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        const char32_t code = take_character(text);
        width += within(narrow_ranges, code) ? 0U : within(wide_ranges, code) ? 2U : 1U;
    }
    return width;
}

std::string human_count(double count) {
    constexpr std::array<const char*, 7> units = {"", "k", "M", "G", "T", "P", "E"};
    double scaled = std::abs(count);
    std::size_t unit = 0;
    // 999.5 of a unit would be printed as "1000": take the next unit from there.
    while (scaled >= 999.5 && unit + 1 < units.size()) {
        scaled /= 1000;
        ++unit;
    }
    const char* sign = count < 0 ? "-" : "";
    if (unit == 0 && scaled == std::floor(scaled)) return fmt::format("{}{:.0f}", sign, scaled);
    const int decimals = scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0;
    return fmt::format("{}{:.{}f}{}", sign, scaled, decimals, units[unit]);
}

std::string human_bytes(std::uint64_t bytes) {
    constexpr std::array<const char*, 7> units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) return fmt::format("{} B", bytes);
    double scaled = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (scaled >= 1023.995 && unit + 1 < units.size()) {
        scaled /= 1024;
        ++unit;
    }
    return fmt::format("{:.2f} {}", scaled, units[unit]);
}

std::string human_duration(double seconds) {
    if (!std::isfinite(seconds)) return "?";
    if (seconds < 0) return "-" + human_duration(-seconds);
    if (seconds < 0.9995) return fmt::format("{:.1f}ms", seconds * 1e3);
    if (seconds < 59.95) return fmt::format("{:.1f}s", seconds);
    // Beyond 30,000 years the days no longer matter; the limit keeps the conversion defined.
    const auto total = static_cast<std::uint64_t>(std::llround(std::min(seconds, 1e12)));
    const std::uint64_t days = total / 86400;
    const std::uint64_t hours = total / 3600 % 24;
    const std::uint64_t minutes = total / 60 % 60;
    if (days > 0) return fmt::format("{}d {:02}:{:02}:{:02}", days, hours, minutes, total % 60);
    if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, total % 60);
    return fmt::format("{}:{:02}", minutes, total % 60);
}

}  // namespace tsumugi::base
