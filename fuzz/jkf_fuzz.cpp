// SPDX-License-Identifier: GPL-3.0-or-later
#include "property.hpp"
#include "record/jkf.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    const auto game = record::parse_jkf(fuzz::text_of(data, size));
    if (game) fuzz::check_round_trip(*game, record::parse_jkf, record::to_jkf);
    return 0;
}
