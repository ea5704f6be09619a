// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace tsumugi::record {

constexpr std::uint16_t get_u16(std::span<const std::uint8_t, 2> bytes) {
    return static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8);
}

constexpr void put_u16(std::span<std::uint8_t, 2> bytes, std::uint16_t value) {
    bytes[0] = static_cast<std::uint8_t>(value & 255);
    bytes[1] = static_cast<std::uint8_t>(value >> 8);
}

}  // namespace tsumugi::record
