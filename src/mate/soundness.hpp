// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "mate/solver.hpp"

namespace tsumugi::mate {

// An attacker's move and what it leads to.
struct Trial {
    int ply = 0;  // moves of the line played before it
    shogi::Move move;
    Outcome outcome = Outcome::unknown;
    Plies length = 0;  // of the mate found, this move included
};

// Every check of the attacker, to move, and whether it mates.
std::vector<Trial> try_checks(Solver& solver, const shogi::Position& position, const Limits& each,
                              const std::stop_token& stop = {});

// Is a problem, by custom, sound: does the attacker have no other mating move (yozume) along the main line? Other ways
// to make the very last move are allowed.
struct Soundness {
    std::vector<Trial> alternatives;  // that mate too
    std::vector<Trial> open;          // that were not settled within the limits
    bool pieces_left = false;         // does the attacker end with pieces in hand?

    [[nodiscard]] bool sound() const { return alternatives.empty() && open.empty(); }
};

Soundness examine(Solver& solver, const shogi::Position& position, const std::vector<shogi::Move>& line,
                  const Limits& each, const std::stop_token& stop = {});

}  // namespace tsumugi::mate
