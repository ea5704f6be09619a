// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/nnue/parameter.hpp"

namespace tsumugi::eval::nnue {

bool falls_into(const Layer& first, int parts) {
    const int width = first.inputs / 2;
    if (width % parts != 0 || first.outputs % parts != 0) return false;
    for (int o = 0; o < first.outputs; ++o)
        for (int i = 0; i < first.inputs; ++i)
            if (first.weight(o, i) != 0 && i % width / (width / parts) != o / (first.outputs / parts)) return false;
    return true;
}

}  // namespace tsumugi::eval::nnue
