// SPDX-License-Identifier: GPL-3.0-or-later
#include "property.hpp"
#include "record/usen.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    const auto game = record::parse_usen(fuzz::text_of(data, size));
    if (!game) return 0;
    const auto back = record::parse_usen(record::to_usen(*game));
    fuzz::require(back.ok() && *back == *game, "a game with its branches survives USEN");
    return 0;
}
