// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "shogi/position.hpp"

namespace tsumugi::app {

// The board for a terminal, with kanji pieces, hands, and a star behind the piece that moved last. White's pieces have
// a v in front.
std::string board_text(const shogi::Position& position);

// The move as people write it, with ▲ or △.
std::string move_text(const shogi::Position& position, shogi::Move move);

}  // namespace tsumugi::app
