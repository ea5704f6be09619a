// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "book/source.hpp"
#include "book/writer.hpp"

namespace tsumugi::book {

enum class Format {
    db,     // YaneuraOu's text book
    ybb,    // YaneuraOu's binary book
    apery,  // read only
    sbk,    // ShogiGUI's, read only
};

// By extension: .db, .ybb, .bin, .sbk in any case.
std::optional<Format> format_of_name(const std::filesystem::path& file);
// The same, or an error that says which there are.
base::Result<Format> required_format(const std::filesystem::path& file);
std::string_view name(Format format);

base::Result<std::unique_ptr<Source>> open_source(const std::filesystem::path& file);

// With `trust_order` a file that must be in order is not read to see whether it is.
base::Result<std::unique_ptr<Book>> open_book(const std::filesystem::path& file, bool trust_order = false);

// Only .db and .ybb can be written.
base::Result<std::unique_ptr<Writer>> create_writer(const std::filesystem::path& file);
// What positions of a written format are ordered by, compared as bytes; two entries of one position have the same.
base::Result<std::string> order_key(Format format, const shogi::Setup& position);

}  // namespace tsumugi::book
