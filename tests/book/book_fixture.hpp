// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "book/file.hpp"
#include "book/format/bytes.hpp"
#include "record/sfen.hpp"
#include "support/data.hpp"
#include "support/position.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::book {

// The position after moves from the even game.
inline shogi::Setup after(std::string_view moves) {
    shogi::Position position = shogi::Position::even();
    std::size_t at = 0;
    while (at < moves.size()) {
        const std::size_t end = std::min(moves.find(' ', at), moves.size());
        position.do_move(test::usi(moves.substr(at, end - at)));
        at = end + 1;
    }
    return position.setup();
}

inline StoredMove stored(std::string_view move, std::optional<int> value = {}, std::optional<int> depth = {},
                         std::optional<std::int64_t> count = {}) {
    StoredMove each;
    each.move = test::usi(move);
    each.value = value;
    each.depth = depth;
    each.count = count;
    return each;
}

inline Entry entry(std::string_view moves, std::initializer_list<StoredMove> list) {
    Entry each;
    each.position = after(moves);
    each.moves = list;
    return each;
}

inline std::vector<Entry> read_all(const std::filesystem::path& file) {
    auto source = open_source(file);
    if (!source) throw std::runtime_error(source.error().message);
    std::vector<Entry> entries;
    for (Entry each;;) {
        const auto more = (*source)->next(each);
        if (!more) throw std::runtime_error(more.error().message);
        if (!*more) return entries;
        entries.push_back(each);
    }
}

inline void write_text(const std::filesystem::path& file, std::string_view text) {
    std::ofstream(file, std::ios::binary) << text;
}

// Writes entries that are in order.
inline void write_book(const std::filesystem::path& file, const std::vector<Entry>& entries) {
    auto writer = create_writer(file);
    if (!writer) throw std::runtime_error(writer.error().message);
    for (const Entry& each : entries)
        if (const auto done = (*writer)->write(each); !done) throw std::runtime_error(done.error().message);
    if (const auto done = (*writer)->finish(); !done) throw std::runtime_error(done.error().message);
}

}  // namespace tsumugi::book
