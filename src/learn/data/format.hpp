// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "record/packed_sfen.hpp"

namespace tsumugi::learn::data {

enum class Format {
    archive,  // games, record/archive.hpp: any name that is not one of the others
    psv,      // positions, PackedSfenValue: .psv and .bin
    hcpe,     // positions: .hcpe
    hcpe3,    // games: .hcpe3
};

Format format_of(const std::filesystem::path& path);
std::string_view name_of(Format format);
constexpr bool holds_games(Format format) { return format == Format::archive || format == Format::hcpe3; }

// Formats of single positions are rows of records of one size.
struct Psv {
    static constexpr std::size_t size = record::PackedSfenValue::size;
    static constexpr Format format = Format::psv;
    static base::Result<record::PackedSfenValue> read(std::span<const std::uint8_t, size> bytes);
    static base::Result<void> append(const record::PackedSfenValue& value, std::string& out);
};

// Knows nothing of the number of the move, which is 0 when read.
struct Hcpe {
    static constexpr std::size_t size = 38;
    static constexpr Format format = Format::hcpe;
    static base::Result<record::PackedSfenValue> read(std::span<const std::uint8_t, size> bytes);
    static base::Result<void> append(const record::PackedSfenValue& value, std::string& out);
};

}  // namespace tsumugi::learn::data
