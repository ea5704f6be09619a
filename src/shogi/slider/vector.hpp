// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "shogi/bitboard.hpp"

namespace tsumugi::shogi::slider {

// Vector registers in the notation g++ and clang share. The same source becomes SSE, AVX2 or
// NEON instructions, or plain words where there is nothing better, so every form runs everywhere.
using Pair [[gnu::vector_size(16)]] = std::uint64_t;
using PairBytes [[gnu::vector_size(16)]] = std::uint8_t;
using Quad [[gnu::vector_size(32)]] = std::uint64_t;
using QuadBytes [[gnu::vector_size(32)]] = std::uint8_t;

}  // namespace tsumugi::shogi::slider
