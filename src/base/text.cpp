// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tsumugi::base {

namespace {
constexpr std::string_view spaces = " \t\r\n";
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
