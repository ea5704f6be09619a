// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/csa_header.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"

namespace tsumugi::record {
namespace {

struct Keyword {
    std::string_view csa;
    std::string_view header;
};

constexpr std::string_view time_limit_header = "持ち時間";

constexpr std::array<Keyword, 11> keywords{{
    {"EVENT", "棋戦"},
    {"SITE", "場所"},
    {"START_TIME", "開始日時"},
    {"END_TIME", "終了日時"},
    {"OPENING", "戦型"},
    {"NOTE", "備考"},
    {"MAX_MOVES", "最大手数"},
    {"JISHOGI", "持将棋規定"},
    {"TIME+", "先手の持ち時間"},
    {"TIME-", "後手の持ち時間"},
    {"TITLE", "表題"},
}};

// Headers that a CSA file says in another way.
constexpr std::array<std::string_view, 5> said_elsewhere{"手合割", "先手", "後手", "下手", "上手"};

// "00:25+00" of V2 (hours, minutes, extra seconds a move) or "1500+0+0" of V3 (seconds, extra seconds, increment).
struct TimeLimit {
    int seconds = 0;
    int byoyomi = 0;
    int increment = 0;
};

std::optional<TimeLimit> parse_time_limit(std::string_view text) {
    const auto number = [](std::string_view digits) { return base::parse_number<int>(digits, 0, 1'000'000); };
    const auto parts = base::split(text, '+');
    if (parts.size() == 3) {
        const auto seconds = number(parts[0]);
        const auto byoyomi = number(parts[1]);
        const auto increment = number(parts[2]);
        if (!seconds || !byoyomi || !increment) return std::nullopt;
        return TimeLimit{*seconds, *byoyomi, *increment};
    }
    const auto clock = base::split(parts[0], ':');
    if (parts.size() != 2 || clock.size() != 2) return std::nullopt;
    const auto hours = base::parse_number<int>(clock[0], 0, 99);
    const auto minutes = base::parse_number<int>(clock[1], 0, 59);
    const auto byoyomi = number(parts[1]);
    if (!hours || !minutes || !byoyomi) return std::nullopt;
    return TimeLimit{*hours * 3600 + *minutes * 60, *byoyomi, 0};
}

// A limit that the version cannot say keeps its words under a keyword of its own.
std::string time_limit_line(std::string_view value, CsaVersion version) {
    const auto limit = parse_time_limit(value);
    if (limit && version == CsaVersion::v3_0)
        return fmt::format("$TIME:{}+{}+{}\n", limit->seconds, limit->byoyomi, limit->increment);
    if (limit && limit->increment == 0 && limit->seconds % 60 == 0 && limit->seconds < 100 * 3600)
        return fmt::format("$TIME_LIMIT:{:02}:{:02}+{:02}\n", limit->seconds / 3600, limit->seconds / 60 % 60,
                           limit->byoyomi);
    return fmt::format("${}:{}\n", time_limit_header, value);
}

std::string one_line(std::string_view text) {
    std::string line(text);
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return line;
}

std::string_view keyword_for(std::string_view header) {
    for (const Keyword& each : keywords)
        if (each.header == header) return each.csa;
    return header;
}

}  // namespace

std::string header_for_csa_keyword(std::string_view keyword) {
    if (keyword == "TIME_LIMIT" || keyword == "TIME") return std::string(time_limit_header);
    for (const Keyword& each : keywords)
        if (each.csa == keyword) return std::string(each.header);
    return std::string(keyword);
}

std::string csa_headers(const Game& game, CsaVersion version) {
    std::string text;
    const auto player = [&](std::string_view mark, std::string_view name, std::string_view handicap_name) {
        const std::string* value = game.header(name);
        if (value == nullptr) value = game.header(handicap_name);
        if (value != nullptr) text += fmt::format("{}{}\n", mark, one_line(*value));
    };
    player("N+", "先手", "下手");
    player("N-", "後手", "上手");
    for (const auto& [name, value] : game.headers) {
        const bool skip = std::find(said_elsewhere.begin(), said_elsewhere.end(), name) != said_elsewhere.end();
        if (skip || name.empty() || name.find_first_of(":\r\n") != std::string::npos) continue;
        if (name == time_limit_header)
            text += time_limit_line(one_line(value), version);
        else
            text += fmt::format("${}:{}\n", keyword_for(name), one_line(value));
    }
    return text;
}

}  // namespace tsumugi::record
