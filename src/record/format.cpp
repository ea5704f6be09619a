// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/format.hpp"

#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "record/jkf.hpp"
#include "record/ki2.hpp"
#include "record/kif.hpp"
#include "record/sfen.hpp"
#include "record/text/line.hpp"
#include "record/usen.hpp"
#include "record/usi_game.hpp"

namespace tsumugi::record {
namespace {

using base::Error;
using base::Result;

constexpr std::array<std::string_view, all_formats.size()> names{"sfen", "usi", "csa", "kif", "ki2", "jkf", "usen"};

constexpr std::array<std::pair<std::string_view, Format>, 3> further_extensions{
    {{"kifu", Format::kif}, {"ki2u", Format::ki2}, {"json", Format::jkf}}};

std::string extension_of(const std::filesystem::path& file) {
    const std::string extension = base::to_lower(file.extension().string());
    return extension.empty() ? extension : extension.substr(1);
}

// Takes "word N" and the character after it off the front of a message.
std::optional<std::size_t> take_number(std::string_view& message, std::string_view word, std::string_view after) {
    if (!message.starts_with(word)) return std::nullopt;
    const std::size_t end = message.find(after, word.size());
    if (end == std::string_view::npos) return std::nullopt;
    const auto number = base::parse_number<std::size_t>(message.substr(word.size(), end - word.size()));
    if (!number) return std::nullopt;
    message.remove_prefix(end + after.size());
    return *number;
}

// Parsers begin their messages with "line 3, column 5: " or, when they see one line only, "column 5: ".
Problem located(const Error& error, std::size_t line = 0) {
    std::string_view message = error.message;
    Problem problem;
    problem.line = take_number(message, "line ", ", ").value_or(line);
    problem.column = take_number(message, "column ", ": ").value_or(problem.line == 0 ? 0 : 1);
    problem.message = message;
    return problem;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool looks_like_usen(std::string_view line) {
    const std::size_t tilde = line.find('~');
    if (tilde == std::string_view::npos || tilde + 2 >= line.size() || !is_digit(line[tilde + 1])) return false;
    return line.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.-~") ==
           std::string_view::npos;
}

bool looks_like_csa(std::string_view line) {
    if (line.size() < 2) return false;
    switch (line[0]) {
        case '\'': return true;
        case 'V': return is_digit(line[1]);
        case 'N': return line[1] == '+' || line[1] == '-';
        case '$': return line.find(':') != std::string_view::npos;
        case 'P': return line[1] == 'I' || line[1] == '+' || line[1] == '-' || is_digit(line[1]);
        case '%': return true;
        case '+':
        case '-':
            return line.size() >= 7 && is_digit(line[1]) && is_digit(line[2]) && is_digit(line[3]) && is_digit(line[4]);
        default: return false;
    }
}

bool starts_with_any(std::string_view line, std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words)
        if (line.starts_with(word)) return true;
    return false;
}

bool looks_like_usi(std::string_view line) {
    const auto words = base::split_words(line);
    return !words.empty() && (words[0] == "position" || words[0] == "startpos" || words[0] == "sfen");
}

// A line on its own, in the formats that have one game a line. '#' begins a comment.
bool is_game_line(std::string_view line) { return !line.empty() && line[0] != '#'; }

Result<Game> parse_sfen_game(std::string_view line) {
    std::string_view sfen = line;
    if (sfen.starts_with("sfen ")) sfen.remove_prefix(5);
    const auto start = parse_sfen(sfen);
    if (!start) return start.error();
    Game game;
    game.start = *start;
    return game;
}

template <typename Parse>
void read_lines(std::string_view text, Parse&& parse, GameFile& file) {
    for (const text::Line& line : text::split_lines(text)) {
        const std::string_view content = base::trim(line.text);
        if (!is_game_line(content)) continue;
        if (auto game = parse(content); game) {
            file.games.push_back(std::move(*game));
            file.lines.push_back(line.number);
        } else {
            file.problems.push_back(located(game.error(), line.number));
        }
    }
}

void add(Result<Game> game, GameFile& file) {
    if (!game) {
        file.problems.push_back(located(game.error()));
        return;
    }
    file.games.push_back(std::move(*game));
    file.lines.push_back(1);
}

void read_as(Format format, std::string_view text, GameFile& file) {
    switch (format) {
        case Format::sfen: return read_lines(text, parse_sfen_game, file);
        case Format::usi: return read_lines(text, parse_usi_game, file);
        case Format::usen: return read_lines(text, parse_usen, file);
        case Format::csa:
            for (auto& game : parse_csa(text))
                add(std::move(game), file);
            return;
        case Format::kif: return add(parse_kif(text), file);
        case Format::ki2: return add(parse_ki2(text), file);
        case Format::jkf: return add(parse_jkf(text), file);
    }
}

std::string final_sfen(const Game& game) {
    shogi::Setup setup = game.start;
    for (const shogi::Move move : game.main_moves()) {
        apply(setup, move);
    }
    return to_sfen(setup);
}

Result<std::string> to_text(const Game& game, Format format, const WriteOptions& options) {
    switch (format) {
        case Format::sfen: return final_sfen(game) + '\n';
        case Format::usi: return to_usi_game(game) + '\n';
        case Format::usen: return to_usen(game) + '\n';
        case Format::csa: return to_csa(game, options.csa_version, options.encoding);
        case Format::kif: return to_kif(game, options.encoding);
        case Format::ki2: return to_ki2(game);
        case Format::jkf: return to_jkf(game);
    }
    std::abort();  // unreachable: the switch names every value
}

}  // namespace

std::string_view name(Format format) { return names[static_cast<std::size_t>(format)]; }

std::optional<Format> find_format(std::string_view name) {
    for (const Format format : all_formats)
        if (record::name(format) == name) return format;
    return std::nullopt;
}

std::optional<Format> format_of_name(const std::filesystem::path& file) {
    const std::string extension = extension_of(file);
    for (const auto& [name, format] : further_extensions)
        if (name == extension) return format;
    return find_format(extension);
}

std::optional<Format> detect_format(std::string_view text) {
    constexpr int lines_to_look_at = 200;  // long headers and comments may precede the first telling line
    std::optional<Format> guess;
    int looked_at = 0;
    for (const text::Line& each : text::split_lines(text)) {
        const std::string_view line = text::trim(each.text);
        if (line.empty()) continue;
        if (++looked_at > lines_to_look_at) break;
        if (looked_at == 1 && (line[0] == '{' || line[0] == '[')) return Format::jkf;
        if (line[0] == '#' || line[0] == '*') continue;
        if (looks_like_usi(line)) return Format::usi;
        if (looks_like_usen(line)) return Format::usen;
        if (looks_like_csa(line)) return Format::csa;
        if (parse_sfen(line)) return Format::sfen;
        if (starts_with_any(line, {"▲", "△", "☗", "☖", "▼", "▽"})) return Format::ki2;
        if (starts_with_any(line, {"手数----", "1 ", "変化："})) return Format::kif;
        // KIF and KI2 share their headers and diagrams; the moves, if any come, decide.
        if (line.find("：") != std::string_view::npos || line.starts_with("後手の持駒") || line.starts_with('+'))
            guess = Format::kif;
    }
    return guess;
}

bool holds_many(Format format) {
    switch (format) {
        case Format::sfen:
        case Format::usi:
        case Format::csa:
        case Format::usen: return true;
        case Format::kif:
        case Format::ki2:
        case Format::jkf: break;
    }
    return false;
}

Encoding usual_encoding(const std::filesystem::path& file) {
    const std::string extension = extension_of(file);
    return extension == "kif" || extension == "ki2" ? Encoding::cp932 : Encoding::utf8;
}

std::string Problem::text(std::string_view file) const {
    if (line == 0) return fmt::format("{}: {}", file, message);
    return fmt::format("{}:{}:{}: {}", file, line, column, message);
}

GameFile read_games(std::string_view bytes, std::optional<Format> hint) {
    GameFile file;
    const auto decoded = decode(bytes);
    if (!decoded) {
        file.format = hint;
        file.problems.push_back(located(decoded.error()));
        return file;
    }
    file.encoding = decoded->encoding;
    const auto seen = detect_format(decoded->text);
    // Only KIF and KI2 can be mistaken for one another, and only when there are no moves to tell.
    const bool alike = seen == Format::kif && hint == Format::ki2;
    file.format = seen && !alike ? seen : hint;
    if (!file.format) {
        file.problems.push_back({0, 0, "this looks like none of " + fmt::format("{}", fmt::join(names, ", "))});
        return file;
    }
    read_as(*file.format, decoded->text, file);
    return file;
}

Result<std::string> write_game(const Game& game, Format format, const WriteOptions& options) {
    auto text = to_text(game, format, options);
    if (!text) return text.error();
    return encode(*text, options.encoding);
}

Result<std::string> write_games(std::span<const Game> games, Format format, const WriteOptions& options) {
    assert(games.size() <= 1 || holds_many(format));
    if (format == Format::csa) {
        auto text = to_csa(games, options.csa_version, options.encoding);
        if (!text) return text.error();
        return encode(*text, options.encoding);
    }
    std::string all;
    for (const Game& game : games) {
        auto text = to_text(game, format, options);
        if (!text) return text.error();
        all += *text;
    }
    return encode(all, options.encoding);
}

}  // namespace tsumugi::record
