// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "record/csa.hpp"
#include "record/encoding.hpp"
#include "record/game.hpp"

namespace tsumugi::record {

enum class Format {
    sfen,  // positions, one a line
    usi,   // games as "startpos moves …", one a line
    csa,
    kif,
    ki2,
    jkf,
    usen,  // one game a line
};

constexpr std::array<Format, 7> all_formats{Format::sfen, Format::usi, Format::csa, Format::kif,
                                            Format::ki2,  Format::jkf, Format::usen};

// "sfen", "usi", … which is also the extension of its files.
std::string_view name(Format format);
std::optional<Format> find_format(std::string_view name);
// By extension: .csa, .kif, .kifu, .ki2, .ki2u, .jkf, .json, .usi, .sfen, .usen in any case.
std::optional<Format> format_of_name(const std::filesystem::path& file);
// By content. Nothing when it looks like none of them.
std::optional<Format> detect_format(std::string_view text);
// Can one file hold several games?
bool holds_many(Format format);
// What files of this name are usually stored as: Shift_JIS for .kif and .ki2, UTF-8 for the rest.
Encoding usual_encoding(const std::filesystem::path& file);

// Something wrong in a file. Line and column count from 1; 0 means that the place is not known.
struct Problem {
    std::size_t line = 0;
    std::size_t column = 0;
    std::string message;

    // "file:12:5: message", leaving out what is not known.
    [[nodiscard]] std::string text(std::string_view file) const;
};

struct GameFile {
    std::vector<Game> games;
    std::vector<std::size_t> lines;  // the line on which each game begins, where games stand one a line; else 1
    std::vector<Problem> problems;   // one for every game that could not be read
    std::optional<Format> format;    // nothing when the content is of no known kind
    Encoding encoding = Encoding::utf8;
};

// Reads everything that can be read: after a game that is broken the next one is tried. Content decides over the hint
// when the two disagree and the content is unmistakable (JSON under the name .kif, say).
GameFile read_games(std::string_view bytes, std::optional<Format> hint = std::nullopt);

struct WriteOptions {
    Encoding encoding = Encoding::utf8;
    CsaVersion csa_version = CsaVersion::v2_2;
};

// The bytes of a file. SFEN keeps only the position at the end of the main line. Fails where the encoding lacks a
// character or the format cannot say a move.
base::Result<std::string> write_game(const Game& game, Format format, const WriteOptions& options = {});
// Several games in one file, for formats that hold many.
base::Result<std::string> write_games(std::span<const Game> games, Format format, const WriteOptions& options = {});

}  // namespace tsumugi::record
