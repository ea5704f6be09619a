// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "base/isa.hpp"

namespace tsumugi::base {

// What the machine that runs us can do, as opposed to base::isa, which is what this code was compiled for.
// A feature counts only if the operating system also saves its registers.
struct Cpu {
    std::string vendor;  // "AuthenticAMD", "GenuineIntel"; empty when unknown
    std::string brand;   // the marketing name
    int family = 0;
    int model = 0;

    // The x86-64 micro-architecture level of the System V ABI, 1 to 4; 0 on other processors.
    int level = 0;

    bool sse42 = false;
    bool popcnt = false;
    bool avx2 = false;
    bool bmi2 = false;
    // PEXT and PDEP run in microcode before AMD's Zen 3, at tens to hundreds of cycles.
    bool slow_pext = false;
    bool avx512 = false;       // F, BW, CD, DQ and VL together
    bool avx512_vnni = false;  // dot products of bytes in 512-bit registers
    bool avx_vnni = false;     // the same in 256-bit registers without AVX-512

    int cores = 1;  // logical processors this process may use

    static Cpu detect();

    // One line for logs, e.g. "AMD EPYC, 2 cores, x86-64-v4, fast pext, vnni".
    [[nodiscard]] std::string summary() const;
};

// Fills in what CPUID leaves say; separate from detect() so that tests can play other processors.
using CpuidSource = isa::Cpuid (*)(std::uint32_t leaf, std::uint32_t subleaf);
Cpu decode_cpuid(CpuidSource cpuid, std::uint32_t (*saved_registers)());

}  // namespace tsumugi::base
