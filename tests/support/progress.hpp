// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "base/progress.hpp"

namespace tsumugi::test {

// Progress that nobody sees, so that what a failed test prints stays readable.
inline base::ProgressOutput no_progress() {
    base::ProgressOutput output;
    output.write = [](std::string_view) {};
    return output;
}

}  // namespace tsumugi::test
