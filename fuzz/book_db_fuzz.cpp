// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/format/db.hpp"
#include "property.hpp"

namespace {

std::vector<tsumugi::book::Entry> read(std::string_view text) {
    tsumugi::book::DbReader reader(text);
    std::vector<tsumugi::book::Entry> entries;
    for (tsumugi::book::Entry entry;;) {
        const auto more = reader.next(entry);
        if (!more || !*more) return entries;
        entries.push_back(entry);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    const auto entries = read(fuzz::text_of(data, size));
    std::string text;
    for (const book::Entry& entry : entries)
        book::append_db(text, entry);
    // Comments may hold bytes that end a line elsewhere, so only positions and moves must come back at once.
    const auto again = read(text);
    fuzz::require(again.size() == entries.size(), "every position that is written is read");
    for (std::size_t i = 0; i < entries.size(); ++i) {
        fuzz::require(again[i].position == entries[i].position, "positions survive");
        fuzz::require(again[i].moves.size() == entries[i].moves.size(), "moves survive");
        for (std::size_t k = 0; k < entries[i].moves.size(); ++k) {
            const auto& one = entries[i].moves[k];
            const auto& two = again[i].moves[k];
            fuzz::require(one.move == two.move && one.reply == two.reply && one.value == two.value &&
                              one.depth == two.depth && one.count == two.count,
                          "what is known of a move survives");
        }
    }
    return 0;
}
