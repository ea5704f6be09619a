// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "record/game.hpp"
#include "record/sfen.hpp"

namespace tsumugi::test {

// The main line as USI moves, each with a space behind it.
inline std::string usi_moves(const record::Game& game) {
    std::string moves;
    for (const shogi::Move move : game.main_moves())
        moves += record::to_usi(move) + ' ';
    return moves;
}

}  // namespace tsumugi::test
