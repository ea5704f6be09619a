// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dispatch/cpu.hpp"

#include <cpuid.h>

namespace tsumugi::dispatch {

namespace {

// The parts of x86-64-v3 that clang 14 has no name for in __builtin_cpu_supports.
bool has_lzcnt_movbe_f16c() {
    constexpr unsigned basic_leaf = 1;
    constexpr unsigned extended_leaf = 0x80000001;
    constexpr unsigned movbe = 1U << 22;
    constexpr unsigned f16c = 1U << 29;
    constexpr unsigned lzcnt = 1U << 5;
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    if (__get_cpuid(basic_leaf, &eax, &ebx, &ecx, &edx) == 0 || (ecx & movbe) == 0 || (ecx & f16c) == 0) return false;
    return __get_cpuid(extended_leaf, &eax, &ebx, &ecx, &edx) != 0 && (ecx & lzcnt) != 0;
}

}  // namespace

bool runs_x86_64_v2() { return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt"); }

// The compiler's test for AVX2 includes the question whether the operating system saves the wide registers.
bool runs_x86_64_v3() {
    return runs_x86_64_v2() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && has_lzcnt_movbe_f16c();
}

}  // namespace tsumugi::dispatch
