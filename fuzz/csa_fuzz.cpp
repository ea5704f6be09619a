// SPDX-License-Identifier: GPL-3.0-or-later
#include "property.hpp"
#include "record/csa.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    const auto parse = [](std::string_view text) {
        auto games = record::parse_csa(text);
        fuzz::require(games.size() == 1, "one game is written as one game");
        return std::move(games[0]);
    };
    for (const auto& game : record::parse_csa(fuzz::text_of(data, size))) {
        if (!game) continue;
        for (const auto version : {record::CsaVersion::v2_2, record::CsaVersion::v3_0})
            fuzz::check_round_trip(*game, parse,
                                   [&](const record::Game& each) { return record::to_csa(each, version); });
    }
    return 0;
}
