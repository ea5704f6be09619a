// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace tsumugi::shogi {

// Black (sente) moves towards rank 1 (a), White (gote) towards rank 9 (i).
enum class Color : std::uint8_t { black, white };

constexpr std::array<Color, 2> both_colors{Color::black, Color::white};

constexpr Color operator~(Color c) { return c == Color::black ? Color::white : Color::black; }
constexpr std::size_t index(Color c) { return static_cast<std::size_t>(c); }

}  // namespace tsumugi::shogi
