// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "shogi/board.hpp"

namespace tsumugi::app {

// The board as a picture: kanji pieces, White's turned around, both hands, the last move's square shaded.
std::string board_svg(const shogi::Board& board, const std::string& caption, shogi::Square last);

}  // namespace tsumugi::app
