// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The instruction set this translation unit is compiled for, as constants: the one place where the
// compiler's predefined macros are read. Code chooses with `if constexpr (isa::has_avx2)`.

#include <cstdint>

#ifdef __x86_64__
#include <cpuid.h>
#endif

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

// What the processor answers to one CPUID question; all zero where there is no such instruction.
struct Cpuid {
    std::uint32_t eax = 0;
    std::uint32_t ebx = 0;
    std::uint32_t ecx = 0;
    std::uint32_t edx = 0;
};

#ifdef __x86_64__
constexpr bool is_x86 = true;

inline Cpuid cpuid(std::uint32_t leaf, std::uint32_t subleaf) {
    Cpuid answer;
    __get_cpuid_count(leaf, subleaf, &answer.eax, &answer.ebx, &answer.ecx, &answer.edx);
    return answer;
}

// Which register files the operating system saves on a switch of tasks. Only valid when CPUID says OSXSAVE;
// written as an instruction because the intrinsic needs a compiler flag.
inline std::uint32_t saved_registers() {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}
#else
constexpr bool is_x86 = false;
inline Cpuid cpuid(std::uint32_t, std::uint32_t) { return {}; }
inline std::uint32_t saved_registers() { return 0; }
#endif

constexpr const char* name = has_avx2 ? "x86-64-v3" : has_sse42 ? "x86-64-v2" : "generic";

}  // namespace tsumugi::base::isa
