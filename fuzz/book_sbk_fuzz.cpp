// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/format/sbk.hpp"
#include "property.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    const auto entries = book::parse_sbk(fuzz::text_of(data, size));
    if (!entries) return 0;
    for (const book::Entry& entry : *entries)
        for (const book::StoredMove& each : entry.moves)
            fuzz::require(each.move.is_well_formed(), "moves name squares");
    return 0;
}
