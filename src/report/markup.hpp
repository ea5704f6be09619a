// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace tsumugi::report {

// Text made safe inside HTML and SVG, in attributes too. Control characters, which XML forbids, become '?'.
std::string escape_markup(std::string_view text);

}  // namespace tsumugi::report
