// SPDX-License-Identifier: GPL-3.0-or-later
#include "property.hpp"
#include "record/sfen.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    const auto setup = record::parse_sfen(fuzz::text_of(data, size));
    if (!setup) return 0;
    const auto back = record::parse_sfen(record::to_sfen(*setup));
    fuzz::require(back.ok() && *back == *setup, "a position survives SFEN");
    return 0;
}
