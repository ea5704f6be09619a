// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "record/encoding.hpp"
#include "record/game.hpp"

namespace tsumugi::record {

// KIF, the format of Kifu for Windows and of most Japanese programs (.kif in Shift_JIS, .kifu in UTF-8). Text is
// UTF-8 here; see encoding.hpp for files. An error names line and column.
base::Result<Game> parse_kif(std::string_view text);

// The first line of a KIF file names its encoding, so it depends on how the caller will store the text.
std::string to_kif(const Game& game, Encoding stored_as = Encoding::utf8);

}  // namespace tsumugi::record
