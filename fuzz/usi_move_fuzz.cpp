// SPDX-License-Identifier: GPL-3.0-or-later
#include "property.hpp"
#include "record/sfen.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    const std::string_view text = fuzz::text_of(data, size);
    const auto move = record::parse_usi_move(text);
    if (!move) return 0;
    fuzz::require(move->is_well_formed(), "an accepted move is well formed");
    fuzz::require(record::to_usi(*move) == text, "a move has one notation");
    return 0;
}
