// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/train/kernel/choice.hpp"

namespace tsumugi::learn {

std::vector<const Kernel*> usable_kernels(const base::Cpu&) { return {&scalar_kernel}; }

}  // namespace tsumugi::learn
