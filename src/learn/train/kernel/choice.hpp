// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "base/cpu.hpp"
#include "learn/train/kernel/kernel.hpp"

namespace tsumugi::learn {

// The kernels this processor can run, the fastest last. There is always the scalar one.
std::vector<const Kernel*> usable_kernels(const base::Cpu& cpu);

inline const Kernel& best_kernel() { return *usable_kernels(base::Cpu::detect()).back(); }

}  // namespace tsumugi::learn
