// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "property.hpp"
#include "record/hcp.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    record::Hcp packed;
    std::copy_n(data, std::min(size, packed.bytes.size()), packed.bytes.begin());
    const auto setup = record::from_hcp(packed);
    if (!setup) return 0;
    const auto back = record::to_hcp(*setup);
    fuzz::require(back.ok() && *back == packed, "an accepted stream is the one that would be written");
    return 0;
}
