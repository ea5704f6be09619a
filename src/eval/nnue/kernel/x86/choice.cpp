// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/nnue/kernel/choice.hpp"

namespace tsumugi::eval::nnue {

std::vector<const Kernel*> usable_kernels(const base::Cpu& cpu) {
    std::vector<const Kernel*> kernels{&scalar_kernel};
    if (cpu.sse42 && cpu.popcnt) kernels.push_back(&sse41_kernel);
    if (cpu.avx2) kernels.push_back(&avx2_kernel);
    if (cpu.avx512 && cpu.avx512_vnni) {
        kernels.push_back(&avx512_kernel);
        // Intel's processors lower their clock for wide multiplications, and all that is not the net pays for it.
        kernels.insert(cpu.vendor == "GenuineIntel" ? kernels.end() : kernels.end() - 1, &vnni256_kernel);
    }
    return kernels;
}

}  // namespace tsumugi::eval::nnue
