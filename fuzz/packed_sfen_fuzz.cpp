// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "property.hpp"
#include "record/packed_sfen.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    record::PackedSfen packed;
    std::copy_n(data, std::min(size, packed.bytes.size()), packed.bytes.begin());
    const auto setup = record::from_packed_sfen(packed);
    if (!setup) return 0;
    const auto back = record::to_packed_sfen(*setup);
    fuzz::require(back.ok() && *back == packed, "an accepted stream is the one that would be written");
    return 0;
}
