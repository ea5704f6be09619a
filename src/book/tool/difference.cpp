// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/tool/difference.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "book/format/db.hpp"
#include "record/sfen.hpp"

namespace tsumugi::book::tool {
namespace {

using base::Result;

std::string move_text(const StoredMove& move) {
    const auto number = [](const auto& value) { return value ? std::to_string(*value) : "none"; };
    return fmt::format("{} {} {} {} {}", record::to_usi(move.move),
                       move.reply.is_none() ? "none" : record::to_usi(move.reply), number(move.value),
                       number(move.depth), number(move.count));
}

shogi::Move best_move(Entry entry) {
    sort_best_first(entry.moves);
    return entry.moves.empty() ? shogi::Move::none() : entry.moves.front().move;
}

class Comparison {
public:
    explicit Comparison(const std::function<void(const std::string&)>& show) : show_(show) {}

    // Everything the two books hold of one position.
    void add(const std::array<std::optional<Entry>, 2>& sides) {
        if (!sides[1]) return lone(*sides[0], report.only_first, '-');
        if (!sides[0]) return lone(*sides[1], report.only_second, '+');
        std::vector<std::string> found;
        list_moves(*sides[0], *sides[1], '-', found);
        list_moves(*sides[1], *sides[0], '+', found);
        if (found.empty()) {
            ++report.same;
            return;
        }
        ++report.changed;
        if (best_move(*sides[0]) != best_move(*sides[1])) ++report.best_changed;
        show_("  sfen " + record::to_sfen(sides[0]->position));
        for (const std::string& line : found)
            show_(line);
    }

    DifferenceReport report;

private:
    void lone(const Entry& entry, std::uint64_t& count, char sign) {
        ++count;
        show_(fmt::format("{} sfen {}", sign, record::to_sfen(entry.position)));
    }

    // Moves of `entry` that `other` does not have with the same words.
    static void list_moves(const Entry& entry, const Entry& other, char sign, std::vector<std::string>& lines) {
        for (const StoredMove& each : entry.moves) {
            const StoredMove* twin = other.find(each.move);
            const std::string text = move_text(each);
            if (twin == nullptr || move_text(*twin) != text) lines.push_back(fmt::format("{} {}", sign, text));
        }
    }

    const std::function<void(const std::string&)>& show_;
};

// Tells what of the file could not be read.
Result<std::string> collect(const std::filesystem::path& file, char side, Sorter& sorter, const Advance& advance) {
    auto source = open_source(file);
    if (!source) return source.error();
    Entry entry;
    for (;;) {
        const auto more = (*source)->next(entry);
        if (!more) return more.error();
        if (!*more) return (*source)->omission();
        std::string text(1, side);
        append_db(text, entry);
        if (auto added = sorter.add(position_text(entry.position), text); !added) return added.error();
        advance((*source)->done(), (*source)->size());
    }
}

}  // namespace

Result<DifferenceReport> compare(const std::filesystem::path& first, const std::filesystem::path& second,
                                 std::size_t budget_bytes, const std::function<void(const std::string&)>& show,
                                 const Advance& advance) {
    // The first character of a value tells which book it is from.
    Sorter sorter(std::filesystem::temp_directory_path(), budget_bytes);
    Comparison comparison(show);
    for (const auto& [file, side] : {std::pair(first, '0'), std::pair(second, '1')}) {
        auto omission = collect(file, side, sorter, advance);
        if (!omission) return omission.error();
        if (!omission->empty()) comparison.report.omissions.push_back(*std::move(omission));
    }
    std::string key;
    std::array<std::optional<Entry>, 2> sides;
    const auto flush = [&] {
        if (sides[0] || sides[1]) comparison.add(sides);
        sides = {};
    };
    const auto done = sorter.for_each([&](std::string_view next_key, std::string_view text) -> Result<void> {
        if (next_key != key) flush();
        key = next_key;
        Entry entry;
        if (const auto read = DbReader(text.substr(1)).next(entry); !read) return read.error();
        auto& side = sides[text[0] == '0' ? 0 : 1];
        if (side)
            merge_into(*side, entry, false);
        else
            side = std::move(entry);
        return {};
    });
    if (!done) return done.error();
    flush();
    return comparison.report;
}

}  // namespace tsumugi::book::tool
