// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "record/game.hpp"

namespace tsumugi::record {

// KI2, records as newspapers and books print them: moves name their destination and only as much of their origin
// as is needed (▲５八金右). Text is UTF-8 here; see encoding.hpp for files. An error names line and column.
base::Result<Game> parse_ki2(std::string_view text);

// KI2 has no place for times; everything else is kept.
std::string to_ki2(const Game& game);

}  // namespace tsumugi::record
