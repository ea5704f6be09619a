// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "base/random.hpp"
#include "think/player.hpp"

namespace tsumugi::engine {

// How a player of limited strength errs. He looks at less, misjudges positions (always the same ones in the same
// way), and among the moves he considers may take one that is a little worse, seldom one that is much worse and
// never one that throws the game away in his own eyes.
struct Skill {
    std::uint64_t nodes = 0;   // looked at for one move
    int candidates = 1;        // moves compared
    double sigma = 0;          // error of the evaluation, in centipawns
    double temperature = 0;    // loss of winning chances at which a move is e times less likely to be chosen
    double greatest_loss = 0;  // no move is chosen that loses more of the chances than this

    // From 0 to 20 (excluded), in steps as fine as wanted.
    static Skill of_level(double level);
};

// Which of the lines, best first and at least one, is played.
std::size_t choose(std::span<const think::Line> lines, const Skill& skill, base::Random& random);

}  // namespace tsumugi::engine
