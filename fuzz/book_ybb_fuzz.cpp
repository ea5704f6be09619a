// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/format/ybb.hpp"
#include "property.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    const auto view = book::YbbView::of(fuzz::text_of(data, size));
    if (!view) return 0;
    const bool in_order = !view->first_out_of_order();
    for (std::uint64_t i = 0; i < view->size(); ++i) {
        const auto entry = view->entry(i);
        if (!entry) continue;
        const auto packed = record::to_packed_sfen(entry->position);
        fuzz::require(packed.ok(), "a position that was unpacked can be packed");
        if (in_order) fuzz::require(view->find(*packed) == i, "a position of a book in order is found");
    }
    return 0;
}
