// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The instruction set this translation unit is compiled for, as constants: the one place where the
// compiler's predefined macros are read. Code chooses with `if constexpr (isa::has_avx2)`.

namespace tsumugi::base::isa {

#ifdef __SSE4_2__
constexpr bool has_sse42 = true;
#else
constexpr bool has_sse42 = false;
#endif

#ifdef __AVX2__
constexpr bool has_avx2 = true;
#else
constexpr bool has_avx2 = false;
#endif

#ifdef __BMI2__
constexpr bool has_bmi2 = true;
#else
constexpr bool has_bmi2 = false;
#endif

constexpr const char* name = has_avx2 ? "x86-64-v3" : has_sse42 ? "x86-64-v2" : "generic";

}  // namespace tsumugi::base::isa
