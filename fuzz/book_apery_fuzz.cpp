// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "book/format/apery.hpp"
#include "book/format/bytes.hpp"
#include "property.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    // The keys of records are those of the start, or else nothing would be found.
    std::string bytes(fuzz::text_of(data, size));
    std::string key;
    book::put<std::uint64_t>(key, book::apery_key(shogi::Setup::even()));
    for (std::size_t at = 0; at + 16 <= bytes.size() && at < 64; at += 16)
        std::copy(key.begin(), key.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    const auto book = book::AperyBook::of(bytes, "book.bin");
    if (!book) return 0;
    const auto entry = (*book)->find(shogi::Setup::even(), book::Book::Ply::any);
    if (!entry || !*entry) return 0;
    fuzz::require((*entry)->moves.size() <= size / 16, "no more moves than records");
    for (const book::StoredMove& each : (*entry)->moves)
        fuzz::require(each.move.is_well_formed(), "moves name squares");
    return 0;
}
