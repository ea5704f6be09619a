// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/train/kernel/choice.hpp"

namespace tsumugi::learn {

// Every processor with AVX2 that is in use has FMA as well; the level of the ABI that demands both is checked.
std::vector<const Kernel*> usable_kernels(const base::Cpu& cpu) {
    std::vector<const Kernel*> kernels{&scalar_kernel};
    if (cpu.level >= 3) kernels.push_back(&avx2_kernel);
    if (cpu.level >= 4) kernels.push_back(&avx512_kernel);
    return kernels;
}

}  // namespace tsumugi::learn
