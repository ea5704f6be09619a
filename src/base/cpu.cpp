// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cpu.hpp"

#include <array>
#include <cstring>

#include "base/thread.hpp"

namespace tsumugi::base {

namespace {

constexpr bool has(std::uint32_t word, int bit) { return ((word >> bit) & 1) != 0; }

// CPUID hands out text four characters to a register.
void append_text(std::string& text, std::uint32_t word) {
    std::array<char, sizeof word> characters{};
    std::memcpy(characters.data(), &word, sizeof word);
    for (const char c : characters)
        if (c != '\0') text += c;
}

std::string brand_text(CpuidSource cpuid) {
    std::string text;
    for (std::uint32_t leaf = 0x80000002; leaf <= 0x80000004; ++leaf) {
        const isa::Cpuid words = cpuid(leaf, 0);
        for (const std::uint32_t word : {words.eax, words.ebx, words.ecx, words.edx})
            append_text(text, word);
    }
    // Vendors pad the name with spaces on either side.
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

void decode_family(Cpu& cpu, std::uint32_t signature) {
    const auto field = [signature](int shift, std::uint32_t mask) {
        return static_cast<int>((signature >> shift) & mask);
    };
    cpu.family = field(8, 0xF);
    cpu.model = field(4, 0xF);
    // The extended fields are defined for these base families only.
    if (cpu.family == 6 || cpu.family == 15) cpu.model += field(16, 0xF) << 4;
    if (cpu.family == 15) cpu.family += field(20, 0xFF);
}

}  // namespace

Cpu decode_cpuid(CpuidSource cpuid, std::uint32_t (*saved_registers)()) {
    Cpu cpu;
    const isa::Cpuid root = cpuid(0, 0);
    if (root.eax == 0) return cpu;
    for (const std::uint32_t word : {root.ebx, root.edx, root.ecx})
        append_text(cpu.vendor, word);
    cpu.brand = brand_text(cpuid);

    const isa::Cpuid basic = cpuid(1, 0);
    const isa::Cpuid wide = root.eax >= 7 ? cpuid(7, 0) : isa::Cpuid{};
    const isa::Cpuid wide_more = root.eax >= 7 && wide.eax >= 1 ? cpuid(7, 1) : isa::Cpuid{};
    const isa::Cpuid extended = cpuid(0x80000001, 0);
    decode_family(cpu, basic.eax);

    // Bits 1-2 of the saved registers are SSE and AVX, bits 5-7 the three parts of AVX-512.
    const std::uint32_t saved = has(basic.ecx, 27) ? saved_registers() : 0;
    const bool saves_avx = (saved & 0x06) == 0x06;
    const bool saves_avx512 = (saved & 0xE6) == 0xE6;

    cpu.sse42 = has(basic.ecx, 20);
    cpu.popcnt = has(basic.ecx, 23);
    const bool avx = saves_avx && has(basic.ecx, 28);
    cpu.avx2 = avx && has(wide.ebx, 5);
    cpu.bmi2 = has(wide.ebx, 8);
    const bool old_amd = (cpu.vendor == "AuthenticAMD" || cpu.vendor == "HygonGenuine") && cpu.family < 0x19;
    cpu.slow_pext = cpu.bmi2 && old_amd;
    cpu.avx512 = saves_avx512 && has(wide.ebx, 16) && has(wide.ebx, 30) && has(wide.ebx, 28) && has(wide.ebx, 17) &&
                 has(wide.ebx, 31);
    cpu.avx512_vnni = cpu.avx512 && has(wide.ecx, 11);
    cpu.avx_vnni = cpu.avx2 && has(wide_more.eax, 4);

    // v2: SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT, LAHF. v3: FMA, MOVBE, F16C, LZCNT, AVX2, BMI1, BMI2.
    const bool v2 = has(basic.ecx, 0) && has(basic.ecx, 9) && has(basic.ecx, 13) && has(basic.ecx, 19) && cpu.sse42 &&
                    cpu.popcnt && has(extended.ecx, 0);
    const bool v3 = v2 && has(basic.ecx, 12) && has(basic.ecx, 22) && has(basic.ecx, 29) && has(extended.ecx, 5) &&
                    cpu.avx2 && has(wide.ebx, 3) && cpu.bmi2;
    cpu.level = !v2 ? 1 : !v3 ? 2 : !cpu.avx512 ? 3 : 4;
    return cpu;
}

Cpu Cpu::detect() {
    Cpu cpu = decode_cpuid(isa::cpuid, isa::saved_registers);
    cpu.cores = available_cores();
    return cpu;
}

std::string Cpu::summary() const {
    std::string text = brand.empty() ? "unknown processor" : brand;
    text += ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
    if (level > 0) text += ", x86-64-v" + std::to_string(level);
    if (bmi2) text += slow_pext ? ", slow pext" : ", fast pext";
    if (avx512_vnni || avx_vnni) text += ", vnni";
    return text;
}

}  // namespace tsumugi::base
