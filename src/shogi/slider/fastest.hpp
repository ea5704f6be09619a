// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <type_traits>

#include "shogi/slider/bit_arithmetic.hpp"
#include "shogi/slider/bit_arithmetic_avx2.hpp"
#include "shogi/slider/bit_arithmetic_sse.hpp"

namespace tsumugi::shogi::slider {

// What the game is played with: the quickest form of bit arithmetic for the instruction set compiled for
// (docs/experiments/sliders.md compares all methods).
using Fastest = std::conditional_t<is_native<BitArithmeticAvx2>, BitArithmeticAvx2,
                                   std::conditional_t<is_native<BitArithmeticSse>, BitArithmeticSse, BitArithmetic>>;

}  // namespace tsumugi::shogi::slider
