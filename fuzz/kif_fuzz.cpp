// SPDX-License-Identifier: GPL-3.0-or-later
#include "property.hpp"
#include "record/encoding.hpp"
#include "record/kif.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    const auto decoded = record::decode(fuzz::text_of(data, size));
    if (!decoded) return 0;
    const auto game = record::parse_kif(decoded->text);
    if (!game) return 0;
    fuzz::check_round_trip(*game, record::parse_kif,
                           [](const record::Game& each) { return base::Result<std::string>(record::to_kif(each)); });
    return 0;
}
