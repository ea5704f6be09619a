// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/nnue/kernel/choice.hpp"

namespace tsumugi::eval::nnue {

std::vector<const Kernel*> usable_kernels(const base::Cpu&) { return {&scalar_kernel}; }

}  // namespace tsumugi::eval::nnue
