// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "shogi/move.hpp"
#include "shogi/setup.hpp"

namespace tsumugi::record {

constexpr std::string_view even_sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

// "lnsgkgsnl/… b - 1". The move number may be missing (it is then 1). Only the notation is checked here,
// not whether the position can be played.
base::Result<shogi::Setup> parse_sfen(std::string_view text);
std::string to_sfen(const shogi::Setup& setup);

// "7g7f", "8h2b+", "P*5e".
base::Result<shogi::Move> parse_usi_move(std::string_view text);
std::string to_usi(shogi::Move move);
base::Result<shogi::Square> parse_usi_square(std::string_view text);
std::string to_usi(shogi::Square square);

}  // namespace tsumugi::record
