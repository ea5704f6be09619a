// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/file.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "book/format/apery.hpp"
#include "book/format/db.hpp"
#include "book/format/sbk.hpp"
#include "book/format/ybb.hpp"

namespace tsumugi::book {

using base::Error;
using base::Result;

std::optional<Format> format_of_name(const std::filesystem::path& file) {
    const std::string extension = base::to_lower(file.extension().string());
    if (extension == ".db") return Format::db;
    if (extension == ".ybb") return Format::ybb;
    if (extension == ".bin") return Format::apery;
    if (extension == ".sbk") return Format::sbk;
    return std::nullopt;
}

std::string_view name(Format format) {
    switch (format) {
        case Format::db: return "db";
        case Format::ybb: return "ybb";
        case Format::apery: return "apery";
        case Format::sbk: return "sbk";
    }
    std::abort();  // unreachable: the switch names every value
}

Result<Format> required_format(const std::filesystem::path& file) {
    const auto format = format_of_name(file);
    if (format) return *format;
    return Error{Error::Code::unsupported,
                 fmt::format("{}: books are known by their extension: .db and .ybb (YaneuraOu), .bin (Apery) or .sbk "
                             "(ShogiGUI)",
                             file.string())};
}

Result<std::unique_ptr<Source>> open_source(const std::filesystem::path& file) {
    const auto format = required_format(file);
    if (!format) return format.error();
    switch (*format) {
        case Format::db: return DbSource::open(file);
        case Format::ybb: return YbbSource::open(file);
        case Format::apery: return open_apery_source(file);
        case Format::sbk: return open_sbk_source(file);
    }
    std::abort();  // unreachable: the switch names every value
}

Result<std::unique_ptr<Book>> open_book(const std::filesystem::path& file, bool trust_order) {
    const auto format = required_format(file);
    if (!format) return format.error();
    switch (*format) {
        case Format::db: return DbBook::open(file, trust_order);
        case Format::ybb: return YbbBook::open(file, trust_order);
        case Format::apery: return AperyBook::open(file);
        case Format::sbk: return SbkBook::open(file);
    }
    std::abort();  // unreachable: the switch names every value
}

namespace {

Error not_written(Format format) {
    return {Error::Code::unsupported,
            fmt::format("books of the format {} can be read only; write a .db or .ybb", name(format))};
}

}  // namespace

Result<std::unique_ptr<Writer>> create_writer(const std::filesystem::path& file) {
    const auto format = required_format(file);
    if (!format) return format.error();
    switch (*format) {
        case Format::db: return DbWriter::create(file);
        case Format::ybb: return YbbWriter::create(file);
        case Format::apery:
        case Format::sbk: return not_written(*format);
    }
    std::abort();  // unreachable: the switch names every value
}

Result<std::string> order_key(Format format, const shogi::Setup& position) {
    switch (format) {
        case Format::db: return position_text(position);
        case Format::ybb: {
            const auto packed = record::to_packed_sfen(position);
            if (!packed) return packed.error().in(position_text(position));
            return std::string(packed->bytes.begin(), packed->bytes.end());
        }
        case Format::apery:
        case Format::sbk: return not_written(format);
    }
    std::abort();  // unreachable: the switch names every value
}

}  // namespace tsumugi::book
