// SPDX-License-Identifier: GPL-3.0-or-later
#include "property.hpp"
#include "record/usi_game.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    const auto game = record::parse_usi_game(fuzz::text_of(data, size));
    if (!game) return 0;
    const auto back = record::parse_usi_game(record::to_usi_game(*game));
    fuzz::require(back.ok() && *back == *game, "a game survives USI");
    return 0;
}
