// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace tsumugi::mate {

// A proof or disproof number: roughly how many positions must still be settled. They grow slowly here (see
// combine in search.cpp), so 32 bits with a ceiling are plenty.
using Number = std::uint32_t;
constexpr Number infinite = Number{1} << 30;

// Two numbers that change places with the side to move: what must be shown for a mate, and against it.
struct Numbers {
    Number proof = 1;
    Number disproof = 1;

    [[nodiscard]] bool proven() const { return proof == 0; }
    [[nodiscard]] bool disproven() const { return disproof == 0; }
    [[nodiscard]] bool settled() const { return proof == 0 || disproof == 0; }

    static constexpr Numbers mate() { return {0, infinite}; }
    static constexpr Numbers no_mate() { return {infinite, 0}; }

    bool operator==(const Numbers&) const = default;
};

// A length in plies, or a limit on it. `unlimited` as a limit asks for any mate at all; as the length of a disproof
// it says that there is none however long.
using Plies = int;
constexpr Plies unlimited = 0x3fff;

constexpr Plies after_one(Plies limit) { return limit == unlimited ? unlimited : limit - 1; }
constexpr Plies before_one(Plies length) { return length >= unlimited ? unlimited : length + 1; }

}  // namespace tsumugi::mate
