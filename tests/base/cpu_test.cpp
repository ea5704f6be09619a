// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cpu.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace tsumugi::base {
namespace {

std::uint32_t all_registers() { return 0xE7; }
std::uint32_t only_sse_registers() { return 0x03; }

// A made-up processor with every feature bit set, of the family in `signature`.
template <std::uint32_t signature, bool amd>
isa::Cpuid everything(std::uint32_t leaf, std::uint32_t) {
    const isa::Cpuid intel_name = {.eax = 7, .ebx = 0x756e6547, .ecx = 0x6c65746e, .edx = 0x49656e69};
    const isa::Cpuid amd_name = {.eax = 7, .ebx = 0x68747541, .ecx = 0x444d4163, .edx = 0x69746e65};
    if (leaf == 0) return amd ? amd_name : intel_name;
    return {.eax = leaf == 1 ? signature : 0xFFFFFFFF, .ebx = 0xFFFFFFFF, .ecx = 0xFFFFFFFF, .edx = 0xFFFFFFFF};
}

TEST(Cpu, KnowsThatPextIsSlowOnZen2AndFastFromZen3On) {
    const Cpu zen2 = decode_cpuid(everything<0x00870F10, true>, all_registers);
    EXPECT_EQ(zen2.vendor, "AuthenticAMD");
    EXPECT_EQ(zen2.family, 0x17);
    EXPECT_EQ(zen2.model, 0x71);
    EXPECT_TRUE(zen2.slow_pext);
    const Cpu zen3 = decode_cpuid(everything<0x00A20F10, true>, all_registers);
    EXPECT_EQ(zen3.family, 0x19);
    EXPECT_FALSE(zen3.slow_pext);
    const Cpu skylake = decode_cpuid(everything<0x000506E3, false>, all_registers);
    EXPECT_EQ(skylake.vendor, "GenuineIntel");
    EXPECT_EQ(skylake.family, 6);
    EXPECT_EQ(skylake.model, 0x5E);
    EXPECT_FALSE(skylake.slow_pext);
}

TEST(Cpu, CountsAFeatureOnlyIfTheSystemSavesItsRegisters) {
    const Cpu full = decode_cpuid(everything<0x00A20F10, true>, all_registers);
    EXPECT_EQ(full.level, 4);
    EXPECT_TRUE(full.avx512_vnni && full.avx_vnni);
    const Cpu bare = decode_cpuid(everything<0x00A20F10, true>, only_sse_registers);
    EXPECT_EQ(bare.level, 2);
    EXPECT_TRUE(bare.sse42 && bare.popcnt);
    EXPECT_FALSE(bare.avx2 || bare.avx512 || bare.avx512_vnni || bare.avx_vnni);
}

TEST(Cpu, IsUnknownWithoutCpuid) {
    const Cpu none = decode_cpuid([](std::uint32_t, std::uint32_t) { return isa::Cpuid{}; }, all_registers);
    EXPECT_EQ(none.level, 0);
    EXPECT_FALSE(none.sse42);
    EXPECT_TRUE(none.brand.empty());
}

TEST(Cpu, RunsAtLeastWhatThisTestIsCompiledFor) {
    const Cpu cpu = Cpu::detect();
    EXPECT_GE(cpu.cores, 1);
    const int compiled_for = isa::has_avx2 ? 3 : isa::has_sse42 ? 2 : 0;
    EXPECT_GE(cpu.level, compiled_for) << cpu.summary();
}

TEST(Cpu, AgreesWithTheKernel) {
    std::ifstream info("/proc/cpuinfo");
    std::string flags;
    for (std::string line; flags.empty() && std::getline(info, line);)
        if (line.starts_with("flags")) flags = line + " ";
    if (flags.empty()) GTEST_SKIP() << "no processor flags in /proc/cpuinfo";
    const auto listed = [&flags](const std::string& flag) { return flags.find(" " + flag + " ") != std::string::npos; };
    const Cpu cpu = Cpu::detect();
    EXPECT_EQ(cpu.sse42, listed("sse4_2"));
    EXPECT_EQ(cpu.popcnt, listed("popcnt"));
    EXPECT_EQ(cpu.avx2, listed("avx2"));
    EXPECT_EQ(cpu.bmi2, listed("bmi2"));
    EXPECT_EQ(cpu.avx512_vnni, cpu.avx512 && listed("avx512_vnni"));
    EXPECT_EQ(cpu.avx_vnni, listed("avx_vnni"));
}

}  // namespace
}  // namespace tsumugi::base
